import type { LongWork } from '../../lib/core/ports/long-work.ts';
import { LineIndex } from '../../lib/yaml/text-position.ts';
import type { YamlScalar } from '../../lib/yaml/yaml-node.ts';
import type { Place } from '../core/refusal.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { fieldAt, findRecords } from './csv-fields.ts';
import { problemAt } from './file-problem.ts';
import type { WrittenRow, WrittenRows } from './written-rows.ts';

/**
 * Parses CSV in the form that RFC 4180 describes: with a header, commas, double quotes, and lines that end with LF or
 * CRLF. An empty field is null if it has no quotes, and an empty text if it has quotes. Throws FileProblems with line
 * and column.
 */
export function* readCsv(text: string, file: string): LongWork<WrittenRows> {
  let index: LineIndex | undefined;
  const place = (offset: number): Place => {
    index ??= new LineIndex(text);
    return { file, ...index.at(offset) };
  };
  let header: readonly YamlScalar[] | undefined;
  let otherLength: { readonly start: number; readonly count: number } | undefined;
  const starts = new OffsetList();
  const onRecord = (fieldStarts: readonly number[]) => {
    if (header === undefined) {
      header = fieldStarts.map((start) => fieldAt(text, start));
      return;
    }
    if (fieldStarts.length !== header.length) {
      otherLength ??= { start: fieldStarts[0] ?? 0, count: fieldStarts.length };
    }
    if (otherLength === undefined) starts.add(fieldStarts);
  };
  yield* findRecords(text, onRecord, (offset, message) => problemAt(place(offset), message));
  const names = namesOf(header, text, place);
  if (otherLength !== undefined) {
    const message = `this row has ${numberOf(otherLength.count, 'field')}, but the header has ${names.length}: add or remove fields`;
    throw problemAt(place(otherLength.start), message);
  }
  const content: CsvContent = {
    text,
    names,
    columns: new Map(names.map((name, column) => [name, column])),
    starts,
    place,
  };
  const rows: WrittenRow[] = [];
  for (let row = 0; row < starts.length / names.length; row += 1) {
    rows.push(new CsvRow(content, row * names.length));
  }
  return { columns: names, rows, isUntyped: true };
}

function namesOf(
  header: readonly YamlScalar[] | undefined,
  text: string,
  place: (offset: number) => Place,
): readonly string[] {
  if (header === undefined)
    throw problemAt(place(0), 'the file is empty: write the names of the columns into its first line');
  refuseOddCharacter(header, text, place);
  const separator = otherSeparator(header, text);
  if (separator !== undefined) {
    const message = `the fields of the file are separated by ${separator}: save the file with commas between the fields`;
    throw problemAt(place(0), message);
  }
  const names = header.map((field) => field.text);
  for (const [index, field] of header.entries()) {
    if (field.text === '')
      throw problemAt(place(field.start), 'a column in the header has no name: write one');
    if (names.indexOf(field.text) < index)
      throw problemAt(
        place(field.start),
        `the column "${field.text}" appears twice in the header: rename or remove one of them`,
      );
  }
  return names;
}

/** Characters that other programs read as the end of a line, and a byte order mark. */
const oddCharacter = /[\v\f\x1c-\x1e\x85\u2028\u2029\uFEFF]/;

/**
 * Refuses a character that other programs read as a line end, because the first row would then become a part of the
 * header. Inside quotes, the character belongs to the name.
 */
function refuseOddCharacter(
  header: readonly YamlScalar[],
  text: string,
  place: (offset: number) => Place,
): void {
  for (const field of header) {
    const at = text[field.start] === '"' ? -1 : field.text.search(oddCharacter);
    if (at < 0) continue;
    const code = field.text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
    throw problemAt(
      place(field.start + at),
      `the header contains the character U+${code}: if it should end the line, use LF or CRLF; if it is part of a name, put the name in quotes`,
    );
  }
}

/**
 * The character that another program used as separator, found in the name of the only column. Undefined for a name in
 * quotes.
 */
function otherSeparator([first, second]: readonly YamlScalar[], text: string): string | undefined {
  if (first === undefined || second !== undefined || text[first.start] === '"') return undefined;
  if (first.text.includes(';')) return 'semicolons';
  return first.text.includes('\t') ? 'tabs' : undefined;
}

/** A list of offsets in a text, four bytes each. It saves memory, because a file may have millions of fields. */
class OffsetList {
  #offsets = new Uint32Array(1024);
  length = 0;

  add(offsets: readonly number[]): void {
    if (this.length + offsets.length > this.#offsets.length) {
      const larger = new Uint32Array(2 * this.#offsets.length + offsets.length);
      larger.set(this.#offsets);
      this.#offsets = larger;
    }
    this.#offsets.set(offsets, this.length);
    this.length += offsets.length;
  }

  at(index: number): number {
    return this.#offsets[index] ?? 0;
  }
}

interface CsvContent {
  readonly text: string;
  readonly names: readonly string[];
  /** The index of each column by its name. The first index is 0. */
  readonly columns: ReadonlyMap<string, number>;
  /** The offsets at which the fields start, row after row. */
  readonly starts: OffsetList;
  readonly place: (offset: number) => Place;
}

/** A row that reads a field from the text only when the field is needed. */
class CsvRow implements WrittenRow {
  readonly #content: CsvContent;
  /** The index of its first field. */
  readonly #first: number;

  constructor(content: CsvContent, first: number) {
    this.#content = content;
    this.#first = first;
  }

  get cells(): this {
    return this;
  }

  get place(): Place {
    return this.#content.place(this.#content.starts.at(this.#first));
  }

  placeOf(column: string): Place {
    return this.#content.place(this.#startOf(column) ?? this.#content.starts.at(this.#first));
  }

  get(column: string): YamlScalar | undefined {
    const start = this.#startOf(column);
    return start === undefined ? undefined : fieldAt(this.#content.text, start);
  }

  has(column: string): boolean {
    return this.#content.columns.has(column);
  }

  keys(): Iterable<string> {
    return this.#content.names;
  }

  #startOf(column: string): number | undefined {
    const index = this.#content.columns.get(column);
    return index === undefined ? undefined : this.#content.starts.at(this.#first + index);
  }
}
