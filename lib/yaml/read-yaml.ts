import type { Range } from '../core/outcomes/finding.ts';
import { readAnyYaml } from './read-any-yaml.ts';
import { readCommonYaml } from './read-common-yaml.ts';
import { LineIndex, withoutEndBlanks } from './text-position.ts';
import { type Span, valueOf, type YamlEntry, type YamlNode } from './yaml-node.ts';

/** More problems add no information: one missing bracket can affect every following line. */
const maxProblems = 100;

/** A problem in a file, with its position. */
export interface SourceProblem extends Range {
  readonly file: string;
  readonly message: string;
}

/** A path in YAML data: keys of maps and indices of lists, from the root inwards. */
export type YamlPath = readonly (string | number)[];

/** A parsed YAML text with its data, its tree, its problems, and the positions of all parts. */
export interface YamlSource {
  readonly file: string;
  /** The original text; the offsets of spans refer to it. */
  readonly text: string;
  /** Plain data, with every key as text. Null if the text is empty; unreliable if there are problems. */
  readonly value: unknown;
  /** The data of `value`, with order, spelling and positions. */
  readonly root: YamlNode | undefined;
  readonly problems: readonly SourceProblem[];
  /** The range of the value at a path, or of its key where it is empty; undefined if the path does not exist. */
  rangeOf(path: YamlPath): Range | undefined;
  /** The range of the key at the end of a path; for an item of a list, of the item. */
  keyRangeOf(path: YamlPath): Range | undefined;
  /** Turns a node's offsets into lines and columns. */
  readonly toRange: (span: Span) => Range;
}

/**
 * Parses one YAML 1.2 document. Never throws: `problems` lists what is wrong, in the order of the text. Duplicate
 * keys, several documents, exploding aliases and too deep nesting are problems. Lines are counted only when a
 * position is needed.
 */
export function readYaml(text: string, options: { readonly file: string }): YamlSource {
  const { file } = options;
  let lines: LineIndex | undefined;
  // A problem may extend over a line end, which would mark the next line.
  const toRange = ({ start, end }: Span) =>
    (lines ??= new LineIndex(text)).range(start, withoutEndBlanks(text, start, end));
  // After a byte order mark, `yaml` rejects a list. A line end instead of the mark keeps every offset.
  const plain = text.startsWith('\uFEFF') ? `\n${text.slice(1)}` : text;
  const { root, faults } = loneReturn(text) ?? readCommonYaml(plain) ?? readAnyYaml(plain);
  const problems = faults
    .toSorted((a, b) => a.start - b.start)
    .slice(0, maxProblems)
    .map((fault) => ({ file, message: fault.message, ...toRange(fault) }));
  return {
    file,
    text,
    get value() {
      return valueOf(root);
    },
    root,
    problems,
    toRange,
    rangeOf(path) {
      const entry = entryAt(root, path);
      return entry && toRange(entry.value);
    },
    keyRangeOf(path) {
      const entry = entryAt(root, path);
      return entry && toRange(entry.key);
    },
  };
}

/**
 * A CR without an LF after it. YAML reads it as a line end; git and most editors read it as a part of the line. So a person
 * could not find the line that a message names.
 */
function loneReturn(text: string): ReturnType<typeof readAnyYaml> | undefined {
  if (!text.includes('\r')) return undefined;
  const start = text.search(/\r(?!\n)/);
  if (start < 0) return undefined;
  const message = text.includes('\n')
    ? 'A CR without an LF: a line must end with LF or CRLF, and a value with a CR needs "\\r" in double quotation marks'
    : 'The lines of the file end with CR: save it with LF or CRLF';
  return { root: undefined, faults: [{ start, end: start, message }] };
}

/** The value at a path, with its key; for an item of a list, the item is both. Undefined if the path does not exist. */
export function entryAt(root: YamlNode | undefined, path: YamlPath): YamlEntry | undefined {
  let entry: YamlEntry | undefined = root && { key: { start: root.start, end: root.start }, value: root };
  for (const step of path) {
    const node: YamlNode | undefined = entry?.value;
    if (node?.kind === 'map') entry = node.entries.get(String(step));
    else if (node?.kind === 'list') {
      const item: YamlNode | undefined = node.items[Number(step)];
      entry = item && { key: item, value: item };
    } else return undefined;
  }
  return entry;
}
