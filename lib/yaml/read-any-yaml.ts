import { parseDocument } from 'yaml';
import { buildYamlTree, type TreeFault } from './build-yaml-tree.ts';
import { parserMessage } from './parser-message.ts';
import type { YamlNode } from './yaml-node.ts';

/** Parses any text as one YAML 1.2 document, with the package `yaml`, and collects its problems. Never throws. */
export function readAnyYaml(text: string): {
  readonly root: YamlNode | undefined;
  readonly faults: readonly TreeFault[];
} {
  // The parser's own check of duplicate keys compares every pair of keys; the tree does it with a map.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
  const { root, faults } = buildYamlTree(document, text);
  const errors = document.errors.map(({ code, message, pos: [start, end] }) => ({
    message: parserMessage(code, message),
    start,
    end,
  }));
  return { root, faults: [...errors, ...faults] };
}
