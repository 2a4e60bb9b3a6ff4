import { atOnce, inTurns, type LongWork } from '../../lib/core/ports/long-work.ts';
import { problemAt, FileProblems } from './file-problem.ts';
import { readCsv } from './read-csv.ts';
import { readParquet } from './read-parquet.ts';
import type { Located, WrittenRows, PlaceOf } from './written-rows.ts';
import { readYaml } from '../../lib/yaml/read-yaml.ts';
import { LineIndex } from '../../lib/yaml/text-position.ts';
import { findComment, findJsonFault, findSecondText } from './find-json-fault.ts';
import { rowsOf } from './read-rows.ts';

/** A fixture is small, and is read into memory. */
const maxBytes = 32 * 1024 ** 2;

/** A file with rows that another file refers to by its name. */
export interface FixtureFile {
  /** The path of the file, for messages. */
  readonly file: string;
  /** The size in bytes. */
  size(): number;
  text(): string;
  /** The content. The same object is returned for the same file, so that the file is read only once. */
  bytes(): Uint8Array;
}

/**
 * Finds a file by the name that another file uses for it, relative to the folder of that other file. Returns
 * undefined if no file with this name is in a folder that may be read.
 */
export type FindFixtureFile = (name: string) => FixtureFile | undefined;

/** How files with rows are found and read when another file refers to them. */
export interface FixtureReadOptions {
  readonly findFile: FindFixtureFile;
  /**
   * Says in a message why `findFile` does not find a name. By default, the message says that the file does not exist.
   */
  readonly explainMissing?: ((name: string) => string) | undefined;
  /**
   * The folder whose `node_modules` contains the package of DuckDB. By default, the folder in which Millrace itself
   * finds its packages.
   */
  readonly packages?: string | undefined;
}

/**
 * Reads the rows of a file that another file refers to by `name`. A large file is read in parts. Throws FileProblems,
 * and WarehouseUnavailable if the file is a Parquet file and DuckDB is not installed.
 */
export async function readFixture(name: Located, options: FixtureReadOptions): Promise<WrittenRows> {
  formOf(name);
  const fixture = requireFixtureFile(name, options);
  const rows = await inTurns(textFixture(name, fixture));
  return rows ?? readParquet(fixture.bytes(), name, options.packages);
}

/** Finds a file that another file refers to by `name`. Throws FileProblems if it does not exist. */
export function requireFixtureFile(
  { text, place }: Located,
  { findFile, explainMissing }: FixtureReadOptions,
): FixtureFile {
  const fixture = findFile(text);
  if (fixture !== undefined) return fixture;
  throw problemAt(place, explainMissing?.(text) ?? `the file "${text}" does not exist in the project`);
}

/**
 * Reads the rows of a text file such as CSV. Returns undefined for a Parquet file. Throws FileProblems, for example
 * if the file is too large.
 */
export function readTextFixture(name: Located, fixture: FixtureFile): WrittenRows | undefined {
  return atOnce(textFixture(name, fixture));
}

function* textFixture(name: Located, fixture: FixtureFile): LongWork<WrittenRows | undefined> {
  const form = formOf(name);
  if (fixture.size() > maxBytes) {
    const limit = `the limit is ${maxBytes / 1024 ** 2} MiB`;
    throw problemAt(name.place, `the file "${name.text}" has ${fixture.size()} bytes; ${limit}`);
  }
  if (form === 'parquet') return undefined;
  return form === 'csv'
    ? yield* readCsv(fixture.text(), fixture.file)
    : readJsonRows(fixture.text(), fixture.file);
}

function formOf(name: Located): 'csv' | 'json' | 'parquet' {
  const form = /\.([a-z]+)$/i.exec(name.text)?.[1]?.toLowerCase();
  if (form === 'csv' || form === 'json' || form === 'parquet') return form;
  throw problemAt(name.place, `the file "${name.text}" must end in .csv, .json or .parquet`);
}

/** Reads a JSON file with a list of rows. Throws FileProblems with line and column. */
function readJsonRows(text: string, file: string): WrittenRows {
  // JSON is YAML; the tree has the positions and the digits of every value.
  const source = readYaml(text, { file });
  const second = source.problems.length > 0 ? findSecondText(text) : undefined;
  if (second !== undefined)
    throw problemAt(
      { file, ...new LineIndex(text).at(second) },
      'a second JSON text begins here, as in JSON Lines: put all rows into one list, as in [{ "id": 1 }, { "id": 2 }]',
    );
  // JSON has no line ends that matter: the first mistake makes the others.
  const [first] = source.problems;
  const comment = first === undefined ? undefined : findComment(text);
  if (comment !== undefined)
    throw problemAt({ file, ...new LineIndex(text).at(comment.offset) }, comment.message);
  if (first !== undefined) throw new FileProblems([first]);
  const placeOf: PlaceOf = (span) => {
    const { line, column } = source.toRange(span);
    return { file, line, column };
  };
  const fault = findJsonFault(text);
  if (fault !== undefined) throw problemAt({ file, ...new LineIndex(text).at(fault.offset) }, fault.message);
  const { root } = source;
  if (root?.kind !== 'list')
    throw problemAt({ file, line: 1, column: 1 }, 'expected a list of rows, such as [{ "id": 1 }]');
  for (const item of root.items) {
    if (item.kind !== 'map') throw problemAt(placeOf(item), 'expected a row, such as { "id": 1 }');
  }
  return rowsOf(root, placeOf);
}
