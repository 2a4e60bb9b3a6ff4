import type { Located, WrittenRows } from './test-file.ts';
import { problemAt } from './test-problem.ts';
import { readCsv } from './read-csv.ts';
import { readJsonRows } from './read-json-rows.ts';

/** Reads a file beside the test file by its name as written there; undefined if it does not exist in the project. */
export type ReadBeside = (name: string) => { readonly file: string; readonly text: string } | undefined;

/** The rows of a file that a test names. Throws TestProblems. */
export function readFixture(name: Located, readBeside: ReadBeside): WrittenRows {
  const form = /\.([a-z]+)$/i.exec(name.text)?.[1]?.toLowerCase();
  if (form === 'parquet') {
    throw problemAt(name.place, 'Parquet files are not supported yet: save the rows as CSV or JSON');
  }
  if (form !== 'csv' && form !== 'json') {
    throw problemAt(name.place, `the file "${name.text}" must end in .csv or .json`);
  }
  const found = readBeside(name.text);
  if (found === undefined)
    throw problemAt(name.place, `the file "${name.text}" does not exist in the project`);
  return form === 'csv' ? readCsv(found.text, found.file) : readJsonRows(found.text, found.file);
}
