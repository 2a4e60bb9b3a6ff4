import { LineIndex } from '../../lib/yaml/text-position.ts';
import type { YamlScalar } from '../../lib/yaml/yaml-node.ts';
import { problemAt } from './file-problem.ts';
import type { WrittenRow, WrittenRows } from './written-rows.ts';

/** A field; an unquoted empty one has the value null. */
type Field = YamlScalar;

/**
 * Parses CSV as RFC 4180 describes it: a header, comma and double quotes; LF or CRLF. An unquoted empty field is null,
 * a quoted one the empty text. Throws FileProblems with line and column.
 */
export function readCsv(text: string, file: string): WrittenRows {
  const lines = new LineIndex(text);
  const place = (offset: number) => ({ file, ...lines.at(offset) });
  const [header, ...records] = recordsOf(text, (offset, message) => problemAt(place(offset), message));
  if (header === undefined)
    throw problemAt(place(0), 'the file is empty: it needs a header with the names of the columns');
  const names = header.map((field) => field.text);
  const separator = otherSeparator(header, text);
  if (separator !== undefined) {
    const message = `the file has ${separator} between its fields: a CSV file needs commas here`;
    throw problemAt(place(0), message);
  }
  for (const [index, field] of header.entries()) {
    if (field.text === '') throw problemAt(place(field.start), 'a column has no name');
    if (names.indexOf(field.text) < index)
      throw problemAt(place(field.start), `the column "${field.text}" appears twice`);
  }
  const rows = records.map((fields): WrittenRow => {
    const [first] = fields;
    const start = first?.start ?? 0;
    if (fields.length !== names.length) {
      throw problemAt(place(start), `the row has ${fields.length} fields; the header has ${names.length}`);
    }
    const cells = new Map(fields.map((field, index) => [names[index] ?? '', field]));
    return { cells, place: place(start), placeOf: (column) => place(cells.get(column)?.start ?? start) };
  });
  return { columns: names, rows, isUntyped: true };
}

/** One column whose name has a separator of other programs is not a name, unless it is in quotes. */
function otherSeparator([first, second]: readonly Field[], text: string): string | undefined {
  if (first === undefined || second !== undefined || text[first.start] === '"') return undefined;
  if (first.text.includes(';')) return 'semicolons';
  return first.text.includes('\t') ? 'tabs' : undefined;
}

function recordsOf(text: string, problem: (offset: number, message: string) => Error): Field[][] {
  const records: Field[][] = [];
  let fields: Field[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    // A line without any field, such as one at the end of the file.
    const end = fields.length === 0 ? lineEnd(text, at) : 0;
    if (end > 0) {
      at += end;
      continue;
    }
    const field = text[at] === '"' ? quoted(text, at, problem) : plain(text, at, problem);
    fields.push(field);
    at = field.end;
    if (text[at] === ',') {
      at += 1;
      if (at < text.length && lineEnd(text, at) === 0) continue;
      fields.push(scalar(null, '', at, at));
    } else if (at < text.length && lineEnd(text, at) === 0) {
      throw problem(at, 'expected a comma or the end of the line after the closing quote');
    }
    at += lineEnd(text, at);
    records.push(fields);
    fields = [];
  }
  return records;
}

function plain(text: string, start: number, problem: (offset: number, message: string) => Error): Field {
  let end = start;
  while (end < text.length && text[end] !== ',' && lineEnd(text, end) === 0) {
    if (text[end] === '"') throw problem(end, 'a quote inside a field that does not start with one');
    end += 1;
  }
  const written = text.slice(start, end);
  return scalar(plainValue(written), written, start, end);
}

function quoted(text: string, start: number, problem: (offset: number, message: string) => Error): Field {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw problem(start, 'the closing quote is missing');
    if (text[quote + 1] !== '"') {
      const inner = text.slice(start + 1, quote).replaceAll('""', '"');
      return scalar(inner, inner, start, quote + 1);
    }
    at = quote + 2;
  }
}

/** A number keeps its spelling in `text`; one with a leading zero is a text, such as a postal code. */
function plainValue(written: string): YamlScalar['value'] {
  if (written === '') return null;
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(written)) return Number(written);
  if (/^(?:true|false)$/i.test(written)) return written.toLowerCase() === 'true';
  return written;
}

function scalar(value: YamlScalar['value'], text: string, start: number, end: number): Field {
  return { kind: 'scalar', value, text, start, end };
}

function lineEnd(text: string, at: number): number {
  if (text[at] === '\n') return 1;
  return text[at] === '\r' && text[at + 1] === '\n' ? 2 : 0;
}
