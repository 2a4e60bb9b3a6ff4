import type { SourceProblem, YamlSource } from './read-yaml.ts';
import { scalarsOf } from './yaml-node.ts';

/**
 * Hexadecimal and octal numbers of a file. They are a problem in values of tables, because a reader, CSV and SQL take
 * `0x10` for a text, and YAML for 16.
 */
export function prefixedNumbers({ file, root, toRange }: YamlSource): readonly SourceProblem[] {
  return [...scalarsOf(root)]
    .filter(({ value, text }) => typeof value === 'number' && /^0[xo]/.test(text))
    .map((node) => {
      const kind = node.text.startsWith('0x') ? 'a hexadecimal' : 'an octal';
      const message = `${node.text} is ${kind} number of YAML: write ${BigInt(node.text)}, or '${node.text}' in quotes for a text`;
      return { file, message, ...toRange(node) };
    });
}
