import { describeInexact, isExactNumber } from '../core/values/exact-number.ts';
import type { SourceProblem, YamlSource } from './read-yaml.ts';
import { scalarsOf, type YamlNode } from './yaml-node.ts';

/**
 * Numbers of a file whose value is not the number that is written, because it has more digits than a number of
 * JavaScript: a problem wherever plain data is used, and not the spelling.
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
