import { parseDocument } from 'yaml';
import { buildYamlTree, tooDeepMessage, type TreeFault } from './build-yaml-tree.ts';
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
  // Where the parser's stack ends depends on what ran before. The tree already tells where the values become too deep.
  const isTooDeep = faults.some(({ message }) => message === tooDeepMessage);
  const parserErrors = document.errors.filter(
    ({ code, message }) => !(isTooDeep && isExhausted(code, message)),
  );
  const errors = parserErrors.map(({ code, message, pos: [start, end] }) => ({
    message: parserMessage(code, message),
    start,
    end,
  }));
  return { root, faults: [...errors, ...faults] };
}

const isExhausted = (code: string, message: string): boolean =>
  code === 'RESOURCE_EXHAUSTION' || message.startsWith('Maximum call stack');
