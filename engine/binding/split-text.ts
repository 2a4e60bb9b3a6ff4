import type { SourceText } from '../core/source-text.ts';

/** What a semicolon may be in without ending a statement: texts, quoted names, comments, and text between dollar signs. */
const SPAN = /'(?:[^'\\]|\\.|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|\$\$[^]*?\$\$|;/gs;

/** Splits a script at its semicolons, without reading what is between them. */
export function splitText(source: SourceText): readonly SourceText[] {
  const ends = [...source.text.matchAll(SPAN)].filter(([span]) => span === ';').map(({ index }) => index);
  const starts = [0, ...ends.map((end) => end + 1)];
  return starts
    .map((start, index) => slice(source, start, ends[index] ?? source.text.length))
    .filter(({ text }) => text.trim() !== '');
}

function slice(source: SourceText, start: number, end: number): SourceText {
  return { text: source.text.slice(start, end), placeOf: (offset) => source.placeOf(start + offset) };
}
