import { describeInexact, isExactNumber } from '../core/values/exact-number.ts';
import type { SourceProblem, YamlSource } from './read-yaml.ts';
import { scalarsOf, type YamlNode } from './yaml-node.ts';

/**
 * Finds numbers of a file with more digits than JavaScript can represent. They are a problem wherever the value is
 * used, not the spelling.
 * @param options.except a part of the file whose spelling is used
 */
export function inexactNumbers(
  { file, root, toRange }: YamlSource,
  { except }: { readonly except?: YamlNode | undefined } = {},
): readonly SourceProblem[] {
  return [...scalarsOf(root, except)]
    .filter(({ value, text }) => typeof value === 'number' && !isExactNumber(text))
    .map((node) => ({ file, message: describeInexact(node.text), ...toRange(node) }));
}
