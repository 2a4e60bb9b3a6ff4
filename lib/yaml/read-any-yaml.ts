import { shorten } from '../core/text/shorten.ts';
import { Lexer, parseDocument } from 'yaml';
import { buildYamlTree, tooDeepMessage, type TreeFault } from './build-yaml-tree.ts';
import { parserMessage, tagMessage } from './parser-message.ts';
import type { YamlNode } from './yaml-node.ts';

/** In characters. */
const maxShown = 80;

/**
 * Parses any text as one YAML 1.2 document, with the package `yaml`, and collects its problems. Directives, tags and
 * merge keys that would change the values are problems too. Never throws.
 */
export function readAnyYaml(text: string): {
  readonly root: YamlNode | undefined;
  readonly faults: readonly TreeFault[];
} {
  const document = parseDocument(text, {
    // The parser's own check of duplicate keys compares every pair of keys; the tree does it with a map.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
    // Otherwise the parser resolves `!!timestamp` and other tags of YAML 1.1 without a warning.
    resolveKnownTags: false,
  });
  const { root, faults } = buildYamlTree(document, text);
  // The position at which the parser's stack ends depends on what ran before. The tree already shows where the values become too deep.
  const isTooDeep = faults.some(({ message }) => message === tooDeepMessage);
  const directives = directiveFaults(text);
  const isReported = (code: string) => code === 'BAD_DIRECTIVE' && directives.length > 0;
  const parserErrors = document.errors.filter(
    ({ code, message }) => !isReported(code) && !(isTooDeep && isExhausted(code, message)),
  );
  const errors = parserErrors.map(({ code, message, pos: [start, end] }) => ({
    message: parserMessage(code, message),
    start,
    end,
  }));
  const tags = document.warnings
    .filter(({ code }) => code === 'TAG_RESOLVE_FAILED')
    .map(({ message, pos: [start, end] }) => ({
      message: tagMessage(shorten(text.slice(start, end), maxShown), message),
      start,
      end,
    }));
  return { root, faults: [...directives, ...errors, ...tags, ...faults] };
}

const isExhausted = (code: string, message: string): boolean =>
  code === 'RESOURCE_EXHAUSTION' || message.startsWith('Maximum call stack');

/** The character with which the lexer marks the start of a document. */
const documentMark = '\u0002';

/** Directives other than `%YAML 1.2`: another version reads other values, and `%TAG` gives tags another meaning. */
function directiveFaults(text: string): readonly TreeFault[] {
  const faults: TreeFault[] = [];
  if (!/^\uFEFF?%/m.test(text)) return faults;
  let start = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === documentMark) break;
    const end = start + lexeme.length;
    const directive = lexeme.trim();
    if (directive.startsWith('%') && !/^%YAML[ \t]+1\.2$/.test(directive)) {
      const message = `The directive ${shorten(directive, maxShown)} would change how the file is read: remove it, because Millrace reads YAML 1.2`;
      faults.push({ message, start, end });
    }
    start = end;
  }
  return faults;
}
