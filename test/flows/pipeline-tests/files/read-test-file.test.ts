import { describe, expect, test } from 'vitest';
import { FileProblems } from '../../../../engine/index.ts';
import { textsBeside } from '../run/texts-beside.ts';
import { readTestFile } from '../../../../flows/pipeline-tests/files/read-test-file.ts';

const head = 'pipeline: daily/load\n';

function read(tests: string, files: Readonly<Record<string, string>> = {}) {
  return readTestFile(`${head}${tests}`, 'daily/load.test.yaml', {
    findFile: textsBeside(files, 'daily/'),
  });
}

async function problems(tests: string, files: Readonly<Record<string, string>> = {}) {
  try {
    await read(tests, files);
  } catch (error) {
    if (error instanceof FileProblems)
      return error.problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
    throw error;
  }
  return [];
}

const one = (body: string) => `tests:\n  - name: works\n${body.replaceAll(/^(?=.)/gm, '    ')}`;

test('a test has defaults for clock and time limit', async () => {
  const {
    tests: [first],
  } = await read(one('expect: { ran: [Load] }\n'));
  expect(first).toMatchObject({
    name: 'works',
    startsAt: Date.parse('2026-01-01T00:00:00Z'),
    timeoutMs: 60_000,
    place: { file: 'daily/load.test.yaml', line: 3, column: 11 },
  });
});

test('a table may come from a CSV file beside the test', async () => {
  const {
    tests: [first],
  } = await read(one('given: { orders: { file: orders.csv } }\nexpect: { ran: [Load] }\n'), {
    'orders.csv': 'id\n1\n',
  });
  expect(first?.given[0]?.content).toMatchObject({ columns: ['id'], isUntyped: true });
});

test('a table may come from a JSON file, with positions', async () => {
  const {
    tests: [first],
  } = await read(one('given: { orders: { file: orders.json } }\nexpect: { ran: [Load] }\n'), {
    'orders.json': '[\n  { "id": 12345678901234567890, "tags": ["a"] },\n  { "id": 2 }\n]\n',
  });
  const content = first?.given[0]?.content;
  expect(content?.columns).toEqual(['id', 'tags']);
  expect(content?.rows[0]?.cells.get('id')).toMatchObject({ text: '12345678901234567890' });
  expect(content?.rows[1]?.placeOf('id')).toEqual({ file: 'daily/orders.json', line: 3, column: 11 });
});

describe('a wrong test file is an error with line and column', () => {
  test.each<[string, string, string]>([
    [
      'an unknown key',
      one('given: {}\nexpects: { ran: [Load] }\nexpect: { ran: [A] }\n'),
      '5:5 unknown key `expects`; did you mean "expect"?',
    ],
    [
      'an unknown key in place of a required one',
      one('given: {}\nexpects: { ran: [Load] }\n'),
      '5:5 unknown key `expects`; did you mean "expect"?',
    ],
    ['a missing expect', one('given: {}\n'), '3:5 `expect` is missing'],
    [
      'an empty expect',
      one('expect: {}\n'),
      '4:13 `expect` is empty: a test without an expectation proves nothing',
    ],
    [
      'an expect that says nothing',
      one('expect: { tables: {}, ran: [] }\n'),
      '4:13 `expect` is empty: a test without an expectation proves nothing',
    ],
    ['no tests', 'tests: []\n', '2:8 `tests` must not be empty'],
    ['a wrong form', one('expect: { ran: Load }\n'), '4:20 `ran` must be a list'],
    [
      'an unknown outcome',
      one('expect: { outcome: failed }\n'),
      '4:24 `outcome` must be `success` or `{ failure: { component: …, message: … } }`',
    ],
    [
      'an unknown key of a failure',
      one('expect: { outcome: { failure: { compnent: A } } }\n'),
      '4:37 unknown key `compnent`; did you mean "component"?',
    ],
    [
      'a list for a table',
      one('expect: { tables: { a: [] } }\n'),
      '4:28 `a` must be `absent`, or a map with `rows`, `file` or `count`',
    ],
    [
      'a misspelled key of an expected table, which is also its only one',
      one('expect: { tables: { a: { cuont: 1 } } }\n'),
      '4:30 unknown key `cuont`; did you mean "count"?',
    ],
    [
      'a number in quotes',
      one('expect: { tables: { a: { rows: [], tolerance: "0.1" } } }\n'),
      '4:51 `tolerance` must be a number; write it without quotes',
    ],
    [
      'a map for a variable',
      one('variables: { a: { b: 1 } }\nexpect: { ran: [A] }\n'),
      '4:21 `a` must be a single value, or for a grid a list of rows such as [[a, b]]',
    ],
    [
      'a type whose comma YAML takes for its own',
      one('given: { a: { columns: { id: NUMBER(10,2), b: DATE } } }\nexpect: { ran: [A] }\n'),
      "4:34 write the type in quotes, 'NUMBER(10,2)': without them, its comma ends the value",
    ],
    [
      'an expect that is indented too far',
      one('given:\n  a: { rows: [] }\n  expect: { ran: [A] }\n'),
      '6:7 `expect` is indented too far: it is a part of `given` here, not of the test',
    ],
    [
      'rows and file',
      one('given: { a: { rows: [], file: a.csv } }\nexpect: { ran: [A] }\n'),
      '4:17 `a` must have `rows` or `file`, not both',
    ],
    [
      'a table without rows',
      one('given: { a: {} }\nexpect: { ran: [A] }\n'),
      '4:17 `a` must have `rows`, `file` or `columns`',
    ],
    ['an expected table without rows', one('expect: { tables: { a: { ordered: true } } }\n'), '4:28 `a` '],
    [
      'an order without rows',
      one('expect: { tables: { a: { count: 1, ordered: true } } }\n'),
      '4:28 `a` has `ordered` or `tolerance`, which need `rows` or `file`',
    ],
    [
      'rows without columns',
      one('expect: { tables: { a: { rows: [{}, {}] } } }\n'),
      '4:36 `rows` has rows without columns: name at least one column, or use `count`',
    ],
    [
      'a missing fixture',
      one('given: { a: { file: b.csv } }\nexpect: { ran: [A] }\n'),
      '4:25 the file "b.csv" does not exist in the project',
    ],
    [
      'another suffix',
      one('given: { a: { file: b.txt } }\nexpect: { ran: [A] }\n'),
      '4:25 the file "b.txt" must end in .csv, .json or .parquet',
    ],
    ['a wrong clock', one('clock: yesterday\nexpect: { ran: [A] }\n'), '4:12 `clock` must be a time'],
    ['a wrong time limit', one('timeout: soon\nexpect: { ran: [A] }\n'), '4:14 `timeout` must be a duration'],
    [
      'a missing schemas file',
      `schemas: s.yaml\n${one('expect: { ran: [A] }\n')}`,
      '2:10 the file "s.yaml" does not exist in the project',
    ],
    [
      'a second test of the same name',
      `${one('expect: { ran: [A] }\n')}  - name: works\n    expect: { ran: [A] }\n`,
      '5:11 another test in this file has the name "works"',
    ],
    ['invalid YAML', 'tests: [\n', '3:1 '],
  ])('%s', async (_, text, expected) => {
    expect(await problems(text)).toEqual([expect.stringContaining(`daily/load.test.yaml:${expected}`)]);
  });

  test('in a file of rows, the file and line of the row', async () => {
    const text = one('given: { a: { file: a.csv } }\nexpect: { ran: [A] }\n');
    expect(await problems(text, { 'a.csv': 'id\n1,2\n' })).toEqual([
      'daily/a.csv:2:1 this row has 2 fields, but the header has 1: add or remove fields',
    ]);
    const json = text.replace('a.csv', 'a.json');
    expect(await problems(json, { 'a.json': '[\n 1\n]\n' })).toEqual([
      'daily/a.json:2:2 expected a row, such as { "id": 1 }',
    ]);
    expect(await problems(json, { 'a.json': '[\n { "id": 1, }\n]\n' })).toEqual([
      'daily/a.json:2:11 JSON allows no comma before `}`: remove it',
    ]);
    expect(await problems(json, { 'a.json': '[{ id: 1 }]\n' })).toEqual([
      'daily/a.json:1:4 this is valid YAML, but not valid JSON: write it as JSON',
    ]);
    for (const comment of ['// one', '/* one */', '# one'])
      for (const rows of [`[\n  ${comment}\n  { "id": 1 }\n]\n`, `[{ "id": 1 },\n  ${comment}\n]\n`])
        expect(await problems(json, { 'a.json': rows })).toEqual([
          'daily/a.json:2:3 JSON allows no comments: remove this one',
        ]);
    const expected = one('expect: { tables: { a: { file: a.json } } }\n');
    expect(await problems(expected, { 'a.json': '[{}, {}]\n' })).toEqual([
      'daily/load.test.yaml:4:36 this file has rows without columns: name at least one column, or use `count`',
    ]);
    expect(await problems(json, { 'a.json': '{}\n' })).toEqual([
      'daily/a.json:1:1 expected a list of rows, such as [{ "id": 1 }]',
    ]);
  });

  test('in a schemas file, the file and line of the type', async () => {
    const text = `schemas: s.yaml\n${one('expect: { ran: [A] }\n')}`;
    expect(await problems(text, { 's.yaml': 'orders:\n  id: 5\n' })).toEqual([
      'daily/s.yaml:2:7 `id` must be text; put it in quotes',
    ]);
    expect(await problems(text, { 's.yaml': 'orders: { id: NUMBER(10, 2) }\n' })).toEqual([
      "daily/s.yaml:1:15 write the type in quotes, 'NUMBER(10,2)': without them, its comma ends the value",
    ]);
  });

  test('several problems are reported together', async () => {
    const text = `${one('given: { a: { file: b.csv }, c: { file: d.csv } }\nexpect: { ran: [A] }\n')}  - name: other\n    given: { e: { file: f.csv } }\n    expect: { ran: [A] }\n`;
    expect((await problems(text)).map((problem) => /"(.*)"/.exec(problem)?.[1])).toEqual(['b.csv', 'f.csv']);
  });
});
