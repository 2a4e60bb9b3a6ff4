import type { Range } from '../core/finding.ts';
import { readAnyYaml } from './read-any-yaml.ts';
import { readCommonYaml } from './read-common-yaml.ts';
import { LineIndex, withoutEndBlanks } from './text-position.ts';
import { type Span, valueOf, type YamlNode } from './yaml-node.ts';

/** More say nothing new: one missing bracket can break every line after it. */
const maxProblems = 100;

/** What is wrong with a file, and where. */
export interface SourceProblem extends Range {
  readonly file: string;
  readonly message: string;
}

/** Keys of maps and indices of lists, from the root inwards. */
export type YamlPath = readonly (string | number)[];

/** A YAML text as read: its data, its tree, what is wrong with it, and where everything stands. */
export interface YamlSource {
  readonly file: string;
  /** As given; the offsets of spans are into it. */
  readonly text: string;
  /** Plain data, with every key as text. Null where the text is empty; not to be trusted where there are problems. */
  readonly value: unknown;
  /** The same with order, spelling and places. */
  readonly root: YamlNode | undefined;
  readonly problems: readonly SourceProblem[];
  /** Where the value at a path stands, its key where it is empty; nothing where the path leads nowhere. */
  rangeOf(path: YamlPath): Range | undefined;
  /** Where the key at the end of a path stands; for an item of a list, the item. */
  keyRangeOf(path: YamlPath): Range | undefined;
  /** Turns a node's offsets into lines and columns. */
  readonly toRange: (span: Span) => Range;
}

/**
 * Reads one YAML 1.2 document. Never throws: what is wrong stands in `problems`, first things first. Duplicate keys,
 * several documents, aliases that explode and nests that are too deep are problems. Lines are counted only when a
 * position is asked for.
 */
export function readYaml(text: string, options: { readonly file: string }): YamlSource {
  const { file } = options;
  let lines: LineIndex | undefined;
  // A fault may reach over a line end, which would mark the line below.
  const toRange = ({ start, end }: Span) =>
    (lines ??= new LineIndex(text)).range(start, withoutEndBlanks(text, start, end));
  // Behind a mark of the byte order, `yaml` takes a list for broken. A line end in its place keeps every offset.
  const plain = text.startsWith('\uFEFF') ? `\n${text.slice(1)}` : text;
  const { root, faults } = readCommonYaml(plain) ?? readAnyYaml(plain);
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
      const found = find(root, path);
      return found && toRange(found.value);
    },
    keyRangeOf(path) {
      const found = find(root, path);
      return found && toRange(found.key);
    },
  };
}

function find(root: YamlNode | undefined, path: YamlPath) {
  let found = root && { key: { start: root.start, end: root.start }, value: root };
  for (const step of path) {
    const node: YamlNode | undefined = found?.value;
    if (node?.kind === 'map') found = node.entries.get(String(step));
    else if (node?.kind === 'list') {
      const item: YamlNode | undefined = node.items[Number(step)];
      found = item && { key: item, value: item };
    } else return undefined;
  }
  return found;
}
