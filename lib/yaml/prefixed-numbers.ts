import type { SourceProblem, YamlSource } from './read-yaml.ts';
import { scalarsOf } from './yaml-node.ts';

/**
 * Finds hexadecimal and octal numbers in a file. They are a problem in values of tables: people, CSV and SQL read
 * `0x10` as text, and YAML as 16.
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
