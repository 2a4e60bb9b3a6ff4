import { describe, expect, test } from 'vitest';
import { testReportSchema } from '../../../flows/pipeline-tests/report/report-schema.ts';
import { diffProject } from '../diff/diff-project.ts';
import { testFolder } from './test-project.ts';

/** The two forms of one accented letter. */
const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];

const script = (sql: string, name = 'Make') => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: ["${name}"] } }
    ${name}: { type: sql-executor, parameters: { sqlScript: ${JSON.stringify(sql)} } }
`;
const copy = script('CREATE TABLE "out" AS SELECT * FROM "inp"');

interface Parts {
  readonly head?: string;
  readonly given?: string;
  readonly mock?: string;
  readonly expected?: string;
}
const testOf = ({
  head = '',
  given = '{ inp: { rows: [{ id: 1 }] } }',
  mock = '{}',
  expected = '{ ran: [Make] }',
}: Parts) => `pipeline: p
${head}tests:
  - name: t
    given: ${given}
    mock: ${mock}
    expect: ${expected}
`;

/** What is wrong with a test, or which expectations are false: `line:column message`. */
async function messagesOf(
  parts: Parts | string,
  files: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  using folder = testFolder({
    'p.orch.yaml': copy,
    'p.test.yaml': typeof parts === 'string' ? parts : testOf(parts),
    ...files,
  });
  const { stdout } = await folder.run('--format', 'json');
  const { problems = [], tests } = testReportSchema.parse(JSON.parse(stdout));
  const found = [...problems, ...tests.flatMap(({ differences }) => differences)];
  return found.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe('a name that only looks like another one is distinguished by escapes', () => {
  const apart = String.raw`"caf\u{e9}", which only looks like "cafe\u{301}"`;
  const reversed = String.raw`"cafe\u{301}", which only looks like "caf\u{e9}"`;

  test.each<[where: string, parts: Parts | string, files: Readonly<Record<string, string>>, message: string]>(
    [
      [
        'an expected column',
        {
          given: `{ inp: { rows: [{ ${composed}: 1 }] } }`,
          expected: `{ tables: { out: { rows: [{ ${decomposed}: 1 }] } } }`,
        },
        {},
        `the table "out" has no column "${decomposed}"; there is ${apart}`,
      ],
      [
        'a letter of another alphabet',
        { expected: '{ tables: { out: { rows: [{ \u0456d: 1 }] } } }' },
        {},
        String.raw`; there is "id", which only looks like "\u{456}d"`,
      ],
      [
        'a blank at the end',
        { expected: '{ tables: { out: { rows: [{ "id ": 1 }] } } }' },
        {},
        'has no column "id "; there is "id", which only looks like "id "',
      ],
      [
        'an expected table',
        { expected: `{ tables: { ${decomposed}: { count: 1 } } }` },
        { 'p.orch.yaml': script(`CREATE TABLE "${composed}" AS SELECT * FROM "inp"`) },
        `the table "${decomposed}" does not exist; there is ${apart}`,
      ],
      [
        'a table that is expected to be absent',
        { expected: `{ tables: { ${decomposed}: absent } }` },
        { 'p.orch.yaml': script(`CREATE TABLE "${composed}" AS SELECT * FROM "inp"`) },
        `expected to be absent, but there is ${apart}`,
      ],
      [
        'a given table',
        { given: `{ ${decomposed}: { rows: [{ id: 1 }] } }` },
        { 'p.orch.yaml': script(`CREATE TABLE "out" AS SELECT * FROM "${composed}"`) },
        `\`given\` has ${reversed} (4:14)`,
      ],
      [
        'a component',
        { expected: `{ ran: ["${decomposed}"] }` },
        { 'p.orch.yaml': script('SELECT 1', composed) },
        `has no component "${decomposed}"; there is ${apart}`,
      ],
      [
        'a pipeline',
        testOf({}).replace('pipeline: p', `pipeline: ${decomposed}`),
        { [`${composed}.orch.yaml`]: copy },
        `the pipeline "${decomposed}" does not exist in the project; there is ${apart}`,
      ],
      [
        'a file',
        { given: `{ inp: { file: ${decomposed}.csv } }` },
        { [`${composed}.csv`]: 'id\n1\n' },
        String.raw`does not exist in the project; there is "caf\u{e9}.csv", which only looks like "cafe\u{301}.csv"`,
      ],
      [
        'a column of a mock',
        { mock: '{ Make: { tables: { inp: { rows: [{ "id\u200b": 1 }] } } } }' },
        {},
        String.raw`has no column "id\u{200b}"; there is "id", which only looks like "id\u{200b}"`,
      ],
      [
        'a table of a mock',
        {
          given: `{ ${composed}: { rows: [{ id: 1 }] } }`,
          mock: `{ Make: { tables: { ${decomposed}: { rows: [{ id: 1 }] } } } }`,
        },
        {},
        `does not exist; there is ${apart}`,
      ],
      [
        'the header of a CSV file',
        { given: `{ inp: { columns: { ${composed}: NUMBER }, file: r.csv } }` },
        { 'r.csv': `${decomposed}\n1\n` },
        `is in \`columns\`; there is ${apart}`,
      ],
    ],
  )('%s', async (_, parts, files, message) => {
    const [first = ''] = await messagesOf(parts, files);
    expect(first).toContain(message);
  });
});

describe('two names that mean one thing, or look like one, are an error of the test file', () => {
  test.each<[what: string, parts: Parts | string, files: Readonly<Record<string, string>>, message: string]>([
    [
      'columns of two rows',
      { given: `{ inp: { rows: [{ ${composed}: 1 }, { ${decomposed}: 2 }] } }` },
      {},
      String.raw`4:50 the columns "caf\u{e9}" and "cafe\u{301}" look the same, but have different characters: rename one of them`,
    ],
    [
      'tests',
      `${testOf({}).replace('name: t', `name: ${composed}`)}  - name: ${decomposed}\n    expect: { ran: [Make] }\n`,
      {},
      String.raw`7:11 another test in this file has the name "caf\u{e9}", which only looks like "cafe\u{301}"`,
    ],
    [
      'given tables',
      { given: '{ inp: { rows: [{ id: 1 }] }, PUBLIC.inp: { rows: [{ id: 2 }] } }' },
      {},
      '4:42 "PUBLIC.inp" and "inp" are names of one table: remove one of them',
    ],
    [
      'given tables of kind 2',
      { given: '{ inp: { rows: [{ id: 1 }] }, INP: { rows: [{ id: 2 }] } }' },
      { 'millrace.yaml': 'version: 1\nengine: { warehouse: WAREHOUSE_TWO }\n' },
      '4:42 "INP" and "inp" are names of one table: remove one of them',
    ],
    [
      'columns of kind 2',
      { given: '{ inp: { rows: [{ id: 1 }, { ID: 2 }] } }' },
      { 'millrace.yaml': 'version: 1\nengine: { warehouse: WAREHOUSE_TWO }\n' },
      '4:45 the columns "id" and "ID" are the same column in this kind of warehouse',
    ],
    [
      'mocks of one component',
      { mock: '{ Make: {}, p#Make: { tables: { inp: { rows: [] } } } }' },
      {},
      '5:23 "p#Make" and "Make" are names of one component: remove one of them',
    ],
    [
      'tables of `schemas`',
      { head: 'schemas: s.yaml\n' },
      { 's.yaml': 'inp: { id: NUMBER }\nPUBLIC.inp: { id: VARCHAR }\n' },
      '2:19 "PUBLIC.inp" is a table that `schemas` has twice, under two names: remove one',
    ],
  ])('%s', async (_, parts, files, message) => {
    expect(await messagesOf(parts, files)).toEqual([expect.stringContaining(message)]);
  });
});

describe('a name in another case', () => {
  test('is an error of a table that only `schemas` declares', async () => {
    const files = { 's.yaml': 'INP: { id: DATE }\n' };
    expect(await messagesOf({ head: 'schemas: s.yaml\n' }, files)).toEqual([
      '5:14 the table "inp" is not in `schemas`, which has "INP": upper and lower case differ',
    ]);
  });

  test('does not make a table absent that exists', async () => {
    expect(await messagesOf({ expected: '{ tables: { OUT: absent } }' })).toEqual([
      '6:25 the table "OUT" was expected to be absent, but there is "out": upper and lower case differ; write the name as the table has it',
    ]);
  });

  test.each(['"out"', '"TEST"."PUBLIC"."out"'])('nor do the quotation marks of SQL: %s', async (name) => {
    expect(await messagesOf({ expected: `{ tables: { '${name}': absent } }` })).toEqual([
      `6:25 the table "${name}" was expected to be absent, but there is "out", without quotation marks in its name; write the name as the table has it`,
    ]);
  });
});

test('a `schemas` file without tables is an error, and a mock with no rows adds none', async () => {
  expect(await messagesOf({ head: 'schemas: s.yaml\n' }, { 's.yaml': '# later\n' })).toEqual([
    '1:1 the file has no tables: write the columns of each table by its name',
  ]);
  const mock = '{ Make: { tables: { inp: { rows: [] } } } }';
  expect(await messagesOf({ mock, expected: '{ tables: { inp: { count: 1 } } }' })).toEqual([]);
});

test('--init names a pipeline whose name only looks like the given one', async () => {
  using folder = testFolder({ [`${composed}.orch.yaml`]: copy });
  const { code, stderr } = await folder.run('--find-rows', '0s', '--init', decomposed);
  expect(stderr).toContain(String.raw`There is "caf\u{e9}", which only looks like "cafe\u{301}".`);
  expect(code).toBe(2);
});

test('a test file that is left out for the dot in its path is named with the reason', async () => {
  using folder = testFolder({ '.shared/p.orch.yaml': copy, '.shared/p.test.yaml': testOf({}) });
  const { code, stderr } = await folder.run();
  expect(stderr).toContain(
    '.shared/p.test.yaml is left out, because a name in its path begins with a dot: give',
  );
  expect(code).toBe(2);
});

test('--filter finds a test whatever the form of its accented letters', async () => {
  using folder = testFolder({
    'p.orch.yaml': copy,
    'p.test.yaml': testOf({}).replace('name: t', `name: ${composed}`),
  });
  expect(await folder.report('--filter', decomposed)).toMatchObject({ passed: 1 });
});

test('a data diff tells columns and tables apart that look alike', async () => {
  const make = (name: string) =>
    script(`CREATE TABLE "${name}" AS SELECT 1 AS "${name}"; CREATE TABLE "kept" AS SELECT 1 AS "${name}"`);
  using project = diffProject({ 'p.orch.yaml': make(composed), 'p.test.yaml': testOf({}) });
  project.write('p.orch.yaml', make(decomposed));
  const { stdout } = await project.text();
  expect(stdout).toContain(String.raw`table "cafe\u{301}" (new)`);
  expect(stdout).toContain(String.raw`table "caf\u{e9}" (no longer written)`);
  expect(stdout).toContain(String.raw`- column caf\u{e9} NUMBER`);
  expect(stdout).toContain(String.raw`+ column cafe\u{301} NUMBER`);
  expect(stdout).toMatch(/Data changes in 3 tables: .*cafe\\u\{301\} \+1/);
});

describe('a column that only one row of `given` names', () => {
  const given = (...rows: string[]) => ({ given: `{ inp: { rows: [${rows.join(', ')}] } }` });
  const misspelled = (column: number, name: string, meant: string) =>
    `4:${column} the column "${name}" is in this row only, and the row has no column "${meant}"; did you mean "${meant}"? If these are two different columns, add \`${meant}: null\` to the row`;

  test.each([
    [
      'and that is almost the name of one in the others',
      ['{ id: 1, amount: 5 }', '{ id: 2, amuont: 7 }', '{ id: 3, amount: 9 }'],
      [misspelled(67, 'amuont', 'amount')],
    ],
    ['of two rows', ['{ id: 1, amount: 5 }', '{ id: 2, amoun: 7 }'], [misspelled(66, 'amoun', 'amount')]],
    [
      'beside rows that leave both out',
      ['{ id: 1, amount: 5 }', '{ id: 2 }', '{ id: 3, amount: 1 }', '{ id: 4, Amont: 1 }'],
      [misspelled(99, 'Amont', 'amount')],
    ],
  ])('%s is a misspelling', async (_, rows, messages) => {
    expect(await messagesOf(given(...rows))).toEqual(messages);
  });

  test.each([
    ['with another digit', ['{ q1: 1 }', '{ q2: 7 }', '{ q1: 2 }']],
    ['where the row has the other name too', ['{ name: 1 }', '{ name: 7, game: 8 }', '{ name: 2 }']],
    [
      'where the row says that the other name is null',
      ['{ name: 1 }', '{ name: null, game: 8 }', '{ name: 2 }'],
    ],
    ['and that is like no other', ['{ name: 1 }', '{ city: 8 }', '{ name: 2 }']],
    ['where two rows name each', ['{ name: 1 }', '{ game: 8 }', '{ name: 2 }', '{ game: 3 }']],
    ['of one row', ['{ name: 1 }']],
  ])('%s is a column', async (_, rows) => {
    expect(await messagesOf(given(...rows))).toEqual([]);
  });

  test('is a misspelling in a JSON file too, and where `columns` declares it, none', async () => {
    const files = { 'r.json': '[{ "id": 1, "amount": 5 },\n  { "id": 2, "amuont": 7 }]' };
    const parts = { given: '{ inp: { file: r.json } }' };
    expect(await messagesOf(parts, files)).toEqual([
      expect.stringMatching(/^2:24 the column "amuont" is in this row only/),
    ]);
    const declared = { given: '{ inp: { columns: { amount: NUMBER, amuont: NUMBER }, file: r.json } }' };
    expect(await messagesOf(declared, files)).toEqual([]);
  });
});
