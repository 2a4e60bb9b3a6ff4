import type { YamlSource } from '../../lib/yaml/read-yaml.ts';
import type { Span, YamlScalar } from '../../lib/yaml/yaml-node.ts';
import type { SourceText } from '../core/source-text.ts';

/**
 * The text of a YAML value, in which each character can be mapped to its position in the file. Supports every style
 * of YAML values.
 */
export function scalarText(node: YamlScalar, source: YamlSource): SourceText {
  let spans: readonly Span[] | undefined;
  return {
    text: node.text,
    placeOf(offset) {
      spans ??= alignScalar(source.text, node);
      const { start } = spans[Math.min(offset, spans.length - 1)] ?? node;
      const { line, column } = source.toRange({ start, end: start });
      return { file: source.file, line, column };
    },
  };
}

/**
 * Returns a function that finds the position in the file of a part of a YAML value. Undefined for an alias, whose
 * text is in another place. The position of an empty part is just before the next character.
 */
export function writtenSpans(
  node: YamlScalar,
  source: Pick<YamlSource, 'text'>,
): (start: number, end: number) => Span | undefined {
  let spans: readonly Span[] | undefined;
  return (start, end) => {
    spans ??= alignScalar(source.text, node);
    if (spans.length !== node.text.length + 1) return undefined;
    const [first, last] = [spans[start], spans[end - 1]];
    if (first === undefined) return undefined;
    if (end === start) return { start: first.start, end: first.start };
    return last === undefined ? undefined : { start: first.start, end: last.end };
  };
}

/** Where a style of YAML text differs from its value. */
interface Style {
  readonly quote: '"' | "'" | undefined;
  /** The columns that begin each line of a block text; other styles drop all white space there. */
  readonly indent: number;
}

/** Where the file has each UTF-16 unit of a value, and its end. */
function alignScalar(file: string, node: YamlScalar): readonly Span[] {
  const { start, style } = beginOf(file, node);
  const spans: Span[] = [];
  let at = start;
  for (const unit of node.text.split('')) {
    const span = findUnit(file, at, unit, style);
    // The text of an alias is elsewhere in the file: each of its places is the place of the alias.
    if (span === undefined) return [{ start: node.start, end: node.start }];
    spans.push(span);
    at = span.end;
  }
  return [...spans, { start: at, end: at }];
}

function beginOf(
  file: string,
  { start, text }: YamlScalar,
): { readonly start: number; readonly style: Style } {
  const tags = /(?:[&!]\S*\s+)*/y;
  tags.lastIndex = start;
  const begin = start + (tags.exec(file)?.[0].length ?? 0);
  const first = file[begin];
  if (first === '"' || first === "'") return { start: begin + 1, style: { quote: first, indent: Infinity } };
  if (first !== '|' && first !== '>') return { start: begin, style: { quote: undefined, indent: Infinity } };
  const header = /[^\r\n]*(?:\r\n?|\n|$)/y;
  header.lastIndex = begin;
  const content = begin + (header.exec(file)?.[0].length ?? 0);
  // With an indentation indicator, the first line may have more spaces, which belong to the value.
  const indent = Math.max(indentOf(file, content) - indentOf(text, 0), 0);
  const blanks = Math.min(indent, spacesAt(file, content));
  return { start: content + blanks, style: { quote: undefined, indent } };
}

/** The indentation of the first line that is not empty, from `content`. */
function indentOf(text: string, content: number): number {
  const firstLine = /(?:[ \t]*(?:\r\n?|\n))*( *)/y;
  firstLine.lastIndex = content;
  return firstLine.exec(text)?.[1]?.length ?? 0;
}

/** The place of a unit of the value in the file, at or after `at`; undefined if the value is not written here. */
function findUnit(file: string, at: number, unit: string, style: Style): Span | undefined {
  let start = at;
  for (;;) {
    const breakEnd = lineBreakEnd(file, start, style);
    if (breakEnd !== undefined) {
      // A line end is a line end or, folded, a space or nothing; after a backslash, always nothing.
      const isSpace = unit === ' ' && !followsLineBreak(file, start);
      const isNothing = (unit !== '\n' && !isSpace) || file[start] === '\\';
      if (!isNothing) return { start, end: breakEnd };
      start = breakEnd;
      continue;
    }
    const written = file[start];
    // A block at the end of a file without a line end has one in its value.
    if (written === undefined && unit === '\n') return { start, end: start };
    if (written === '\\' && style.quote === '"') return readEscape(file, start, unit);
    if (written === "'" && style.quote === "'") return unit === "'" ? { start, end: start + 2 } : undefined;
    return written === unit ? { start, end: start + 1 } : undefined;
  }
}

/** Only a single line end is folded to a space. Of several line ends, the first one is dropped and the others stay. */
function followsLineBreak(file: string, at: number): boolean {
  let before = at - 1;
  while (file[before] === ' ' || file[before] === '\t') before -= 1;
  return file[before] === '\n' || file[before] === '\r';
}

/** The end of a line break with the white space that YAML drops around it; undefined if there is none. */
function lineBreakEnd(file: string, at: number, { quote, indent }: Style): number | undefined {
  const pattern = indent === Infinity ? /[ \t]*(?:\r\n?|\n)[ \t]*/y : /\r\n?|\n/y;
  // In double quotes, a backslash removes the line end.
  const begin = quote === '"' && file[at] === '\\' && /[\r\n]/.test(file[at + 1] ?? '') ? at + 1 : at;
  pattern.lastIndex = begin;
  const match = pattern.exec(file)?.[0];
  if (match === undefined) return undefined;
  const end = begin + match.length;
  return indent === Infinity ? end : end + Math.min(indent, spacesAt(file, end));
}

function spacesAt(file: string, at: number): number {
  const spaces = / */y;
  spaces.lastIndex = at;
  return spaces.exec(file)?.[0].length ?? 0;
}

const escapeLengths: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 };

/** The second half of a character beyond the basic plane has the place of the first. */
function readEscape(file: string, start: number, unit: string): Span {
  const length = escapeLengths[file[start + 1] ?? ''] ?? 2;
  const isHigh = file[start + 1] === 'U' && /[\uD800-\uDBFF]/.test(unit);
  return { start, end: isHigh ? start : start + length };
}
