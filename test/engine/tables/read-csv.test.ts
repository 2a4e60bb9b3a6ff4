import { FileProblems } from '../../../engine/tables/file-problem.ts';
import { readCsv } from '../../../engine/tables/read-csv.ts';
import { expect, test } from 'vitest';
import { valueOf } from '../../../lib/yaml/yaml-node.ts';

function cells(text: string) {
  return readCsv(text, 'a.csv').rows.map((row) => [...row.cells.values()].map(valueOf));
}

function problem(text: string) {
  try {
    readCsv(text, 'a.csv');
  } catch (error) {
    if (error instanceof FileProblems) return error.problems[0];
    throw error;
  }
  return undefined;
}

test('an unquoted empty field is null, a quoted one is the empty text', () => {
  expect(cells('a,b,c\n,"",\n')).toEqual([[null, '', null]]);
});

test('unquoted numbers and booleans are values, quoted ones and codes with a leading zero are texts', () => {
  expect(cells('a,b,c,d\n1,"1",007,TRUE\n-1.50,x,1e5,"true"\n')).toEqual([
    [1, '1', '007', true],
    [-1.5, 'x', '1e5', 'true'],
  ]);
});

test('a quoted field may hold commas, quotes and line ends; lines may end in CRLF or with the file', () => {
  expect(cells('\uFEFFa,b\r\n"x, ""y""\nz",2\r\n\r\n3,4')).toEqual([
    ['x, "y"\nz', 2],
    [3, 4],
  ]);
});

test('a quoted name may have a semicolon', () => {
  expect(readCsv('"a;b"\n1\n', 'a.csv')).toMatchObject({ columns: ['a;b'] });
});

test('a header without rows gives the columns', () => {
  expect(readCsv('a,b\n', 'a.csv')).toMatchObject({ columns: ['a', 'b'], rows: [] });
});

test('a row and its cells know their position', () => {
  const [, row] = readCsv('a,b\n1,2\n3,4\n', 'a.csv').rows;
  expect(row?.place).toEqual({ file: 'a.csv', line: 3, column: 1 });
  expect(row?.placeOf('b')).toEqual({ file: 'a.csv', line: 3, column: 3 });
});

test.each([
  ['', { line: 1, column: 1, message: expect.stringContaining('header') }],
  ['a,b\n1\n', { line: 2, column: 1, message: 'the row has 1 fields; the header has 2' }],
  ['a,b\n1,2,3\n', { line: 2, column: 1, message: 'the row has 3 fields; the header has 2' }],
  ['a;b\n1;2\n', { line: 1, column: 1, message: expect.stringMatching(/^the file has semicolons between/) }],
  ['a\tb\n1\t2\n', { line: 1, column: 1, message: expect.stringMatching(/^the file has tabs between/) }],
  ['a,a\n', { line: 1, column: 3, message: 'the column "a" appears twice' }],
  ['a,\n', { line: 1, column: 3, message: 'a column has no name' }],
  ['a\n"x\n', { line: 2, column: 1, message: 'the closing quote is missing' }],
  ['a\n"x"y\n', { line: 2, column: 4, message: expect.stringContaining('expected a comma') }],
  ['a\nx"y\n', { line: 2, column: 2, message: expect.stringContaining('a quote inside') }],
])('%j is an error with its line and column', (text, expected) => {
  expect(problem(text)).toEqual({ file: 'a.csv', ...expected });
});
