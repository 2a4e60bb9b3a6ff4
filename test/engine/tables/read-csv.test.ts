import { FileProblems } from '../../../engine/tables/file-problem.ts';
import { readCsv } from '../../../engine/tables/read-csv.ts';
import { tableOfRows } from '../../../engine/tables/table-columns.ts';
import { expect, test } from 'vitest';
import { atOnce } from '../../../lib/core/ports/long-work.ts';
import { valueOf } from '../../../lib/yaml/yaml-node.ts';

function read(text: string) {
  return atOnce(readCsv(text, 'a.csv'));
}

function cells(text: string) {
  return read(text).rows.map(({ cells: all }) => Array.from(all.keys(), (name) => valueOf(all.get(name))));
}

function problem(text: string) {
  try {
    read(text);
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
  expect(read('"a;b"\n1\n')).toMatchObject({ columns: ['a;b'] });
});

test('lines may end in LF and in CRLF in one file, and a value may have a CR in quotes', () => {
  expect(cells('a,b\r\n1,"x\ry"\n2,z\u2028\r\n')).toEqual([
    [1, 'x\ry'],
    [2, 'z\u2028'],
  ]);
  expect(read('"a\u2028"\n1\n')).toMatchObject({ columns: ['a\u2028'] });
});

test('a header without rows gives the columns', () => {
  expect(read('a,b\n')).toMatchObject({ columns: ['a', 'b'], rows: [] });
});

test('a row and its cells know their position', () => {
  const [, row] = read('a,b\n1,2\n3,4\n').rows;
  expect(row?.place).toEqual({ file: 'a.csv', line: 3, column: 1 });
  expect(row?.placeOf('b')).toEqual({ file: 'a.csv', line: 3, column: 3 });
});

test('a large file is read and typed in parts', () => {
  const text = `id,name\n${'1,"a, b"\n'.repeat(20_000)}`;
  expect([...readCsv(text, 'a.csv')].length).toBeGreaterThan(3);
  const place = { file: 'a.csv', line: 1, column: 1 };
  const table = { name: { text: 'T', place }, columns: [], content: read(text) };
  expect([...tableOfRows(table, 'WAREHOUSE_ONE')].length).toBeGreaterThan(100);
  expect(atOnce(tableOfRows(table, 'WAREHOUSE_ONE')).rows.at(-1)).toEqual(['1', 'a, b']);
});

test.each([
  ['', { line: 1, column: 1, message: expect.stringContaining('names of the columns') }],
  [
    'a,b\n1\n',
    { line: 2, column: 1, message: 'this row has 1 field, but the header has 2: add or remove fields' },
  ],
  [
    'a,b\n1,2,3\n',
    { line: 2, column: 1, message: 'this row has 3 fields, but the header has 2: add or remove fields' },
  ],
  [
    'a;b\n1;2\n',
    {
      line: 1,
      column: 1,
      message: expect.stringMatching(/^the fields of the file are separated by semicolons/),
    },
  ],
  [
    'a\tb\n1\t2\n',
    { line: 1, column: 1, message: expect.stringMatching(/^the fields of the file are separated by tabs/) },
  ],
  [
    'a,a\n',
    {
      line: 1,
      column: 3,
      message: 'the column "a" appears twice in the header: rename or remove one of them',
    },
  ],
  ['a,\n', { line: 1, column: 3, message: 'a column in the header has no name: write one' }],
  [
    'a\n"x\n',
    {
      line: 2,
      column: 1,
      message: 'this field starts with a quote, but has no closing quote: add it at the end of the field',
    },
  ],
  ['a\n"x"y\n', { line: 2, column: 4, message: expect.stringContaining('expected a comma') }],
  [
    'a,b\r1,2\r',
    { line: 1, column: 4, message: expect.stringMatching(/^the lines of the file end with CR:/) },
  ],
  [
    '"a"\r"1"\r',
    { line: 1, column: 4, message: expect.stringMatching(/^the lines of the file end with CR:/) },
  ],
  ['\ra\r1', { line: 1, column: 1, message: expect.stringMatching(/^the lines of the file end with CR:/) }],
  ['a\n1\r2\n', { line: 2, column: 2, message: expect.stringMatching(/^there is a CR without an LF:/) }],
  ['a\r\r\n1\r\r\n', { line: 1, column: 2, message: expect.stringMatching(/^there is a CR without an LF:/) }],
  ['a\n1\r', { line: 2, column: 2, message: expect.stringMatching(/^there is a CR without an LF:/) }],
  ['a,b\u20281,2', { line: 1, column: 4, message: expect.stringContaining('the character U+2028') }],
  ['a\x851', { line: 1, column: 2, message: expect.stringContaining('the character U+0085') }],
  ['\uFEFF\uFEFFa\n1\n', { line: 1, column: 1, message: expect.stringContaining('the character U+FEFF') }],
  ['\uFEFF', { line: 1, column: 1, message: expect.stringContaining('names of the columns') }],
  ['v\n\na\n', { line: 2, column: 1, message: expect.stringMatching(/^there is an empty line/) }],
  ['v\na\n\n\nb', { line: 3, column: 1, message: expect.stringMatching(/^there is an empty line/) }],
  ['a\nx"y\n', { line: 2, column: 2, message: expect.stringContaining('contains a quote') }],
])('%j is an error with its line and column', (text, expected) => {
  expect(problem(text)).toEqual({ file: 'a.csv', ...expected });
});
