import type { Range } from '../../core/outcomes/finding.ts';
import { nodeAt } from '../../yaml/node-at.ts';
import type { Span, YamlNode } from '../../yaml/yaml-node.ts';
import type { PipelineDocument } from './read-pipeline.ts';

/** The word that makes a YAML comment suppress findings: `# millrace-ignore rule: reason`. */
export const suppressionWord = 'millrace-ignore';

/** A rule that a comment names. */
export interface SuppressedRule {
  readonly name: string;
  readonly range: Range;
}

/** A comment that suppresses findings at its line, or at the next line if nothing precedes it. */
export interface SuppressionComment {
  readonly range: Range;
  readonly rules: readonly SuppressedRule[];
  /** Empty if the comment gives none. */
  readonly reason: string;
  /** What the comment applies to; undefined after the last value of the file. */
  readonly target: SuppressionTarget | undefined;
}

/** The lines to which a comment applies, and what identifies them when lines move. */
export interface SuppressionTarget {
  readonly line: number;
  readonly endLine: number;
  /** The components whose names are on the line: the comment applies to the whole component. */
  readonly components: readonly string[];
  /** Whether the line is the first one with a value: the comment also applies to findings about the whole file. */
  readonly isFirst: boolean;
  /** The component that contains the line, and the line without indentation and comment. */
  readonly identity: string;
}

const pattern = new RegExp(`(?<=^|[ \\t])#[ \\t]*${suppressionWord}(?![\\w-]):?[ \\t]*([^\\r\\n]*)`, 'gm');

/** More comments in one file have no effect: finding the target of each takes time. */
const maxComments = 1000;

/** The comments of a pipeline that suppress findings, in the order of the file; empty for an invalid file. */
export function readSuppressionComments(document: PipelineDocument): readonly SuppressionComment[] {
  const { text, root, toRange } = document.source;
  if (!text.includes(suppressionWord) || document.problems.length > 0) return [];
  const comments: SuppressionComment[] = [];
  const firstValue = valueLineAfter(text, 0);
  let next = firstValue;
  for (const match of text.matchAll(pattern)) {
    const start = match.index;
    const [whole, body = ''] = match;
    if (comments.length === maxComments) break;
    if (isInValue(text, root, start)) continue;
    // Only comments are between a comment and the value after it, so search again after that value.
    if (next < start) next = valueLineAfter(text, start);
    const place = /\S/.test(text.slice(lineStart(text, start), start)) ? start : next;
    const bodyStart = start + whole.length - body.length;
    const { rules, reason } = split(body);
    comments.push({
      range: toRange({ start, end: start + whole.trimEnd().length }),
      rules: rules.map(({ name, at }) => ({
        name,
        range: toRange({ start: bodyStart + at, end: bodyStart + at + name.length }),
      })),
      reason,
      target: place === text.length ? undefined : targetOf(document, place, firstValue),
    });
  }
  return comments;
}

function split(body: string) {
  const [list = ''] = body.split(':', 1);
  const rules = Array.from(list.matchAll(/[^\s,]+/g), ({ 0: name, index }) => ({ name, at: index }));
  return { rules, reason: body.slice(list.length + 1).trim() };
}

/** Whether an offset is in the text of a value, where `#` begins no comment. */
function isInValue(text: string, root: YamlNode | undefined, offset: number): boolean {
  const place = nodeAt(root, offset);
  if (place === undefined || (place.node.kind !== 'scalar' && !place.isKey)) return false;
  const { start, end } = place.span;
  if (offset >= end) return false;
  // The first line of a block text is its header, which may have a comment.
  return !(/[|>]/.test(text.charAt(start)) && !/[\r\n]/.test(text.slice(start, offset)));
}

function targetOf(document: PipelineDocument, place: number, firstValue: number): SuppressionTarget {
  const { text, root, toRange } = document.source;
  const start = lineStart(text, place);
  const end = start + text.slice(start).search(/[\r\n]|$/);
  const { line } = toRange({ start: place, end: place });
  const last = lastTextFrom(root, start, end);
  let holder: string | null = null;
  const components: string[] = [];
  for (const { name, span } of document.components.values()) {
    if (span.start > end) break;
    holder = name;
    if (span.start >= start) components.push(name);
  }
  const content = text.slice(start, end).replace(/(?:^|\s)#.*$/, '');
  return {
    line,
    endLine: last === undefined ? line : toRange(last).endLine,
    components,
    isFirst: start <= firstValue && firstValue <= end,
    identity: JSON.stringify(components.length > 0 ? components : [holder, content.trim(), null]),
  };
}

/** The offset of the first value on the lines after an offset; the length of the text if there is none. */
function valueLineAfter(text: string, offset: number): number {
  const match = (offset === 0 ? /(?:^|[\r\n])[^\S\r\n]*[^\s#]/ : /[\r\n][^\S\r\n]*[^\s#]/).exec(
    text.slice(offset),
  );
  return match === null ? text.length : offset + match.index + match[0].length - 1;
}

/** The last text value that begins on a line; it may end on a later one. */
function lastTextFrom(node: YamlNode | undefined, from: number, to: number): Span | undefined {
  if (node === undefined || node.start > to || node.end < from) return undefined;
  if (node.kind === 'scalar') return node.start >= from ? node : undefined;
  const parts = node.kind === 'list' ? node.items : Array.from(node.entries.values(), ({ value }) => value);
  return parts.map((part) => lastTextFrom(part, from, to)).findLast((span) => span !== undefined);
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}
