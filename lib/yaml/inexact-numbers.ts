import { describeInexact, isExactNumber } from '../core/exact-number.ts';
import type { SourceProblem, YamlSource } from './read-yaml.ts';
import type { YamlNode, YamlScalar } from './yaml-node.ts';

/**
 * Numbers of a file whose value is not the number that is written, because it has more digits than a number of
 * JavaScript: a problem wherever plain data is used, and not the spelling.
 */
export function inexactNumbers({ file, root, toRange }: YamlSource): readonly SourceProblem[] {
  return [...scalarsOf(root)]
    .filter(({ value, text }) => typeof value === 'number' && !isExactNumber(text))
    .map((node) => ({ file, message: describeInexact(node.text), ...toRange(node) }));
}

function* scalarsOf(node: YamlNode | undefined): Generator<YamlScalar> {
  if (node?.kind === 'scalar') yield node;
  else if (node?.kind === 'list') for (const item of node.items) yield* scalarsOf(item);
  else if (node !== undefined) for (const { value } of node.entries.values()) yield* scalarsOf(value);
}
