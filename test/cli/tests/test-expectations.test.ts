import { beforeAll, describe, expect, test } from 'vitest';
import type { TestResult } from '../../../flows/pipeline-tests/compare/test-result.ts';
import { copyPipeline, loadPipeline, testFolder } from './test-project.ts';

const given = `    given:
      staging_orders:
        columns: { id: NUMBER, day: DATE, amount: 'NUMBER(10,2)', note: VARCHAR }
        rows:
          - { id: 1, day: 2026-01-02, amount: 10.5, note: a }
          - { id: 2, day: 2026-01-03, amount: 3, note: '' }
          - { id: 2, day: 2026-01-03, amount: 3, note: '' }
          - { id: 3, day: 2026-01-02, amount: 7.25 }
`;

/** All rows that `given` makes. */
const all = '{ id: 1, note: a }, { id: 2, note: "" }, { id: 2, note: "" }, { id: 3 }';

/** Expectations that hold, and what breaks each of them: the kinds of the differences. */
const cases: readonly (readonly [name: string, holds: string, broken: string, kinds: readonly string[]])[] = [
  [
    'rows in any order',
    `{ tables: { orders: { rows: [{ id: 3 }, { id: 2, note: "" }, { id: 2, note: "" }, { id: 1, note: a }] } } }`,
    `{ tables: { orders: { rows: [{ id: 3 }, { id: 2, note: "" }, { id: 1, note: a }] } } }`,
    ['extra-row'],
  ],
  [
    'a row that is missing',
    `{ tables: { orders: { rows: [${all}] } } }`,
    `{ tables: { orders: { rows: [${all}, { id: 9, note: x }] } } }`,
    ['missing-row'],
  ],
  [
    'a cell',
    `{ tables: { orders: { rows: [${all}] } } }`,
    `{ tables: { orders: { rows: [${all.replace('note: a', 'note: b')}] } } }`,
    ['changed-row'],
  ],
  [
    'null and the empty text',
    `{ tables: { orders: { rows: [${all}] } } }`,
    `{ tables: { orders: { rows: [${all.replace('{ id: 3 }', '{ id: 3, note: "" }')}] } } }`,
    ['changed-row'],
  ],
  [
    'a number',
    '{ tables: { orders: { rows: [{ amount: 10.50 }, { amount: 3.0 }, { amount: 3 }, { amount: 7.25 }] } } }',
    '{ tables: { orders: { rows: [{ amount: 10.50 }, { amount: 3.0 }, { amount: 3 }, { amount: 7.26 }] } } }',
    ['missing-row', 'extra-row'],
  ],
  [
    'a tolerance',
    '{ tables: { orders: { tolerance: 0.01, rows: [{ amount: 10.51 }, { amount: 3 }, { amount: 3 }, { amount: 7.25 }] } } }',
    '{ tables: { orders: { tolerance: 0.00999999999999999999, rows: [{ amount: 10.51 }, { amount: 3 }, { amount: 3 }, { amount: 7.25 }] } } }',
    ['missing-row', 'extra-row'],
  ],
  [
    'a date',
    '{ tables: { orders: { rows: [{ day: 2026-01-02 }, { day: 2026-01-03 }, { day: 2026-01-03 }, { day: 2026-01-02 }] } } }',
    '{ tables: { orders: { rows: [{ day: 2026-01-02 }, { day: 2026-01-03 }, { day: 2026-01-03 }, { day: 2026-01-03 }] } } }',
    ['missing-row', 'extra-row'],
  ],
  [
    'an order',
    '{ tables: { orders: { ordered: true, rows: [{ id: 1 }, { id: 2 }, { id: 2 }, { id: 3 }] } } }',
    '{ tables: { orders: { ordered: true, rows: [{ id: 2 }, { id: 1 }, { id: 2 }, { id: 3 }] } } }',
    ['changed-row', 'changed-row'],
  ],
  ['a count', '{ tables: { orders: { count: 4 } } }', '{ tables: { orders: { count: 3 } } }', ['count']],
  [
    'a column',
    '{ tables: { orders: { rows: [{ id: 1 }, { id: 2 }, { id: 2 }, { id: 3 }] } } }',
    '{ tables: { orders: { rows: [{ id: 1, price: null }, { id: 2 }, { id: 2 }, { id: 3 }] } } }',
    ['missing-column'],
  ],
  [
    'a table',
    '{ tables: { orders: { count: 4 } } }',
    '{ tables: { order: { count: 4 } } }',
    ['missing-table'],
  ],
  [
    'the case of a table',
    '{ tables: { orders: { count: 4 } } }',
    '{ tables: { Orders: { count: 4 } } }',
    ['missing-table'],
  ],
  [
    'an absent table',
    '{ tables: { rejected: absent } }',
    '{ tables: { orders: absent } }',
    ['present-table'],
  ],
  [
    'a three-part name',
    '{ tables: { TEST.PUBLIC.orders: { count: 4 } } }',
    '{ tables: { OTHER.PUBLIC.orders: { count: 4 } } }',
    ['missing-table'],
  ],
  [
    'a variable that is a number',
    '{ variables: { rows_loaded: 4.0 } }',
    '{ variables: { rows_loaded: 5 } }',
    ['variable'],
  ],
  [
    'a variable that is a text',
    '{ variables: { day: "2026-01-01" } }',
    '{ variables: { day: "2026-01-02" } }',
    ['variable'],
  ],
  [
    'a grid',
    '{ variables: { regions: [[north]] } }',
    '{ variables: { regions: [[north], [south]] } }',
    ['variable'],
  ],
  ['a component that ran', '{ ran: [Build Orders, Done] }', '{ ran: [No Orders] }', ['ran']],
  [
    'a component that did not run',
    '{ not-ran: [No Orders, Notify Failure] }',
    '{ not-ran: [Done] }',
    ['not-ran'],
  ],
  ['success', '{ outcome: success }', '{ outcome: { failure: {} } }', ['outcome']],
];

const failing = `    mock: { Load Files: { outcome: failure, message: "no connection to the store" }, Notify Failure: {} }\n`;

/** The same for a pipeline whose load fails and whose failure branch ends in an end-failure. */
const failingCases: typeof cases = [
  ['failure', '{ outcome: { failure: {} } }', '{ outcome: success }', ['outcome']],
  [
    'the component that failed first',
    '{ outcome: { failure: { component: Load Files } } }',
    '{ outcome: { failure: { component: No Orders } } }',
    ['outcome'],
  ],
  [
    'the message',
    '{ outcome: { failure: { message: no connection } } }',
    '{ outcome: { failure: { message: no permission } } }',
    ['outcome'],
  ],
  [
    'a failed component ran',
    '{ outcome: { failure: {} }, ran: [Load Files], not-ran: [Build Orders] }',
    '{ outcome: { failure: {} }, ran: [Build Orders] }',
    ['ran'],
  ],
];

test('a number that differs is shown as a number, and a wrong type is named', async () => {
  const one = (name: string, expected: string, variable = 'rows_loaded') =>
    `  - { name: ${name}, mock: { Load Files: { outcome: failure }, Notify Failure: {} }, expect: { outcome: { failure: {} }, variables: { ${variable}: ${expected} } } }\n`;
  using folder = testFolder({
    'daily/load.orch.yaml': loadPipeline,
    'daily/build-orders.tran.yaml': copyPipeline,
    'a.test.yaml': `pipeline: daily/load\ntests:\n${one('number', '2')}${one('text', "'0'")}${one('day', '2027', 'day')}`,
  });
  const { tests } = await folder.report();
  expect(tests.flatMap(({ differences }) => differences)).toMatchObject([
    { expected: 2, actual: 0, message: 'the variable "rows_loaded" has a different value' },
    {
      expected: '0',
      actual: 0,
      message:
        'the variable "rows_loaded" has a different value. The actual value is a number: write the expected number without quotes',
    },
    {
      expected: 2027,
      actual: '2026-01-01',
      message:
        'the variable "day" has a different value. The actual value is a text: write the expected text "2027" in quotes',
    },
  ]);
});

describe('each kind of expectation fails when its subject is broken', () => {
  const results = new Map<string, TestResult>();
  beforeAll(async () => {
    const one = (name: string, body: string, expected: string) =>
      `  - name: ${name}\n${given}${body}    expect: ${expected}\n`;
    const both = (list: typeof cases, body: string) =>
      list.flatMap(([name, holds, broken]) => [
        one(`${name} holds`, body, holds),
        one(`${name} is broken`, body, broken),
      ]);
    using folder = testFolder({
      'daily/build-orders.tran.yaml': copyPipeline,
      'daily/load.orch.yaml': loadPipeline,
      'daily/load.test.yaml': `pipeline: daily/load\ntests:\n${[...both(cases, '    mock: { Load Files: {} }\n'), ...both(failingCases, failing)].join('')}`,
    });
    for (const result of (await folder.report()).tests) results.set(result.name, result);
  });

  const kinds = (name: string) => results.get(name)?.differences.map(({ kind }) => kind);

  test.each([...cases, ...failingCases])('%s', (name, _holds, _broken, expected) => {
    expect(kinds(`${name} holds`)).toEqual([]);
    expect(results.get(`${name} holds`)?.status).toBe('passed');
    expect(kinds(`${name} is broken`)).toEqual(expected);
    expect(results.get(`${name} is broken`)?.status).toBe('failed');
  });

  test('a name that differs in case only is reported with both spellings', () => {
    expect(results.get('the case of a table is broken')?.differences[0]?.message).toBe(
      'the table "Orders" does not exist; there is "orders": upper and lower case differ',
    );
  });

  test('a difference of a table names the component that wrote it, and its line', () => {
    expect(results.get('a count is broken')?.differences[0]).toMatchObject({
      component: 'Write Orders',
      at: { file: 'daily/build-orders.tran.yaml', line: 12 },
      expected: 3,
      actual: 4,
    });
  });
});

test('the clock of a test is the clock of views and defaults too, also when they are compared', async () => {
  using folder = testFolder({
    'clock.orch.yaml': `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { success: [Define] } }
    Define:
      type: sql-script
      parameters:
        sqlScript: |
          CREATE VIEW today AS SELECT CURRENT_DATE AS day;
          CREATE TABLE noted (n NUMBER, day DATE DEFAULT CURRENT_DATE);
          INSERT INTO noted (n) VALUES (1)
`,
    'clock.test.yaml': `pipeline: clock
tests:
  - name: on a day
    clock: '2026-01-02T06:00:00Z'
    expect: { tables: { TODAY: { rows: [{ DAY: 2026-01-02 }] }, NOTED: { rows: [{ DAY: 2026-01-02 }] } } }
  - name: on another day
    clock: '2031-05-06T06:00:00Z'
    expect: { tables: { TODAY: { rows: [{ DAY: 2031-05-06 }] }, NOTED: { rows: [{ DAY: 2031-05-06 }] } } }
`,
  });
  const { tests } = await folder.report();
  expect(tests.flatMap(({ differences }) => differences)).toEqual([]);
  expect(tests.map(({ status }) => status)).toEqual(['passed', 'passed']);
});

test.each([
  ['the end of a line', '"a\\r\\nb"', '"a\\nb"', '"a\\r\\nb"', '"a\\nb"'],
  ['a blank at the end', '"a "', 'a', '"a "', '"a"'],
  ['a character that cannot be seen', '"a\\u200bb"', 'ab', '"a\\u{200b}b"', 'ab'],
  ['the form of an accented letter', '"e\\u0301"', '"\\u00e9"', '"e\\u{301}"', '"\\u{e9}"'],
  [
    'the type',
    '12345678901234567890',
    '"12345678901234567890"',
    '12345678901234567890',
    '"12345678901234567890"',
  ],
])('a difference that could not be seen is shown with escapes or quotes, and carets: %s', async (...row) => {
  const [, expected, note, left, right] = row;
  using folder = testFolder({
    'daily/build-orders.tran.yaml': copyPipeline,
    'daily/build-orders.test.yaml': `pipeline: daily/build-orders
tests:
  - name: copies
    given:
      staging_orders:
        columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR }
        rows: [{ id: 1, note: ${note} }]
    expect: { tables: { orders: { rows: [{ id: 1, note: ${expected} }] } } }
`,
  });
  const { stdout } = await folder.run();
  const lines = stdout.split('\n').map((line) => line.trim().split(/ +\| | {2,}/));
  const at = lines.findIndex(([mark]) => mark === '~ 1');
  expect(lines[at]).toEqual(['~ 1', left, '1', right]);
  expect(lines[at + 1]).toEqual(['^'.repeat(left.length), '^'.repeat(right.length)]);
});

test('the name of a column that the table lacks is shown with the characters that cannot be seen', async () => {
  using folder = testFolder({
    'daily/build-orders.tran.yaml': copyPipeline,
    'daily/build-orders.test.yaml': `pipeline: daily/build-orders
tests:
  - name: copies
${given}    expect: { tables: { orders: { rows: [{ "note\\u200b": a }] } } }
`,
  });
  const [result] = (await folder.report()).tests;
  expect(result?.differences.map(({ message }) => message)).toEqual([
    'the table "orders" has no column "note\\u{200b}"; there is "note", which only looks like "note\\u{200b}"',
  ]);
});

test('a difference of numbers with 38 digits shows all their digits', async () => {
  const large = '12345678901234567890123456789012345678';
  const fraction = '1.2345678901234567890123456789012345678';
  using folder = testFolder({
    'large.tran.yaml': `type: transformation
version: "1.0"
pipeline:
  components:
    In: { type: table-input, parameters: { targetTable: T, columnNames: [N, F] } }
    Write: { type: rewrite-table, sources: [In], parameters: { targetTable: OUT } }
`,
    'large.test.yaml': `pipeline: large
tests:
  - name: digits
    given:
      T:
        columns: { N: 'NUMBER(38,0)', F: 'NUMBER(38,37)' }
        rows: [{ N: ${large}, F: ${fraction} }]
    expect: { tables: { OUT: { rows: [{ N: ${large.replace(/8$/, '9')}, F: ${fraction} }] } } }
`,
  });
  const [result] = (await folder.report()).tests;
  expect(result?.differences).toMatchObject([
    { kind: 'changed-row', expected: { N: large.replace(/8$/, '9') }, actual: { N: large, F: fraction } },
  ]);
  const { stdout } = await folder.run();
  expect(stdout).toContain(`${large.replace(/8$/, '9')}  ${fraction} | ${large}  ${fraction}\n`);
});

test('a view that fails when it is read is a difference of the test, and --init writes no test of it', async () => {
  using folder = testFolder({
    'ratio.tran.yaml': `type: transformation
version: "1.0"
pipeline:
  components:
    In: { type: table-input, parameters: { targetTable: T, columnNames: [N] } }
    Ratio:
      type: calculator
      sources: [In]
      parameters: { includeInputColumns: "No", calculations: [['1 / (cast("N" as integer) - cast("N" as integer))', R]] }
    View: { type: create-view, sources: [Ratio], parameters: { viewName: V, viewType: Standard } }
`,
    'ratio.test.yaml': `pipeline: ratio
tests:
  - name: divides by zero
    given: { T: { rows: [{ N: 1 }] } }
    expect: { tables: { V: { rows: [{ R: 1 }] } } }
`,
  });
  const message = 'the view "V" cannot be read: Division by zero';
  const [result] = (await folder.report()).tests;
  expect(result?.differences).toMatchObject([{ kind: 'missing-table', component: 'View', line: 5, message }]);
  const ended = await folder.run('--find-rows', '0s', '--init', 'ratio', '--dry-run');
  expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining(message) as unknown });
});

test('a text that begins with U+FEFF differs from the text without it, in tables and in variables', async () => {
  const files = (note: string, label: string) => ({
    'daily/build-orders.tran.yaml': copyPipeline,
    'label.orch.yaml': labelPipeline,
    'daily/build-orders.test.yaml': `pipeline: daily/build-orders
tests:
  - name: copies
    given: { staging_orders: { columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR }, rows: [{ id: 1, note: "\\ufeffa" }] } }
    expect: { tables: { orders: { rows: [{ id: 1, note: "${note}" }] } } }
`,
    'label.test.yaml': `pipeline: label
tests:
  - name: reads
    given: { notes: { rows: [{ note: "\\ufeffa" }] } }
    expect: { variables: { label: "${label}", labels: [["${label}"]], last: "${label}" } }
`,
  });
  using same = testFolder(files('\\ufeffa', '\\ufeffa'));
  expect(await same.report()).toMatchObject({ passed: 2 });

  using other = testFolder(files('a', 'a'));
  const { tests } = await other.report();
  expect(tests.map(({ differences }) => differences.map(({ kind }) => kind))).toEqual([
    ['changed-row'],
    ['variable', 'variable', 'variable'],
  ]);
});

/** Reads a text into a variable and a grid, and in the rounds of an iterator. */
const labelPipeline = `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Read] } }
    Read:
      type: query-to-scalar
      transitions: { success: [Read All] }
      parameters: { mode: Advanced, query: 'SELECT "note" AS n FROM "notes"', scalarVariableMapping: [[label, n]] }
    Read All:
      type: query-to-grid
      transitions: { success: [Each] }
      parameters: { mode: Advanced, query: 'SELECT "note" AS n FROM "notes"', gridVariable: labels, gridVariableMapping: [[n, name]] }
    Each:
      type: table-iterator
      iterationTarget: Keep
      parameters: { mode: Advanced, query: 'SELECT "note" AS n FROM "notes"', columnMapping1: [[n, round]], concurrency: Sequential }
    Keep:
      type: query-to-scalar
      parameters: { mode: Advanced, query: "SELECT '\${round}' AS n", scalarVariableMapping: [[last, n]] }
  variables:
    label: { metadata: { type: TEXT, scope: SHARED, visibility: PUBLIC }, defaultValue: "" }
    round: { metadata: { type: TEXT, scope: SHARED, visibility: PUBLIC }, defaultValue: "" }
    last: { metadata: { type: TEXT, scope: SHARED, visibility: PUBLIC }, defaultValue: "" }
    labels: { metadata: { type: GRID, scope: SHARED, visibility: PUBLIC, columns: [name] }, defaultValue: [] }
`;

test('a view whose table has got a column is refused wherever it is read', async () => {
  const read = (component: string) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Fill] } }
    Fill:
      type: sql-executor
      parameters:
        sqlScript: |
          CREATE TABLE "s" ("r" INT); INSERT INTO "s" VALUES (1); CREATE VIEW "v" AS SELECT * FROM "s";
          CREATE VIEW "w" AS SELECT "r" FROM "v"; ALTER TABLE "s" ADD COLUMN "z" INT;
      transitions: { success: [Read] }
    Read: { ${component} }
`;
  const place = `database: '[Environment Default]', schema: '[Environment Default]'`;
  const asserts = `type: assert-table, parameters: { ${place}, tableName: v, exists: 'Yes'`;
  using folder = testFolder({
    'all.tran.yaml': `type: transformation
version: "1.0"
pipeline:
  components:
    In: { type: multi-table-input, parameters: { ${place}, patternType: Like, pattern: v, columns: [r] } }
    Out: { type: rewrite-table, sources: [In], parameters: { ${place}, targetTable: out } }
`,
    'exists.orch.yaml': read(`${asserts} }`),
    'counts.orch.yaml': read(`${asserts}, rowCountComparisonType: Equal to, rowCountValue: '1' }`),
    'all.orch.yaml': read('type: run-transformation, parameters: { transformationJob: all.tran.yaml }'),
    'counts.test.yaml': 'pipeline: counts.orch.yaml\ntests: [{ name: assert, expect: { ran: [Read] } }]\n',
    'all.test.yaml': 'pipeline: all.orch.yaml\ntests: [{ name: all, expect: { ran: [Read] } }]\n',
    'exists.test.yaml': `pipeline: exists.orch.yaml
tests:
  - { name: only exists, expect: { ran: [Read] } }
  - { name: rows, expect: { tables: { v: { rows: [{ r: 1 }] } } } }
  - { name: count, expect: { tables: { v: { count: 1 } } } }
  - { name: view of the view, expect: { tables: { w: { rows: [{ r: 1 }] } } } }
`,
  });
  const { tests } = await folder.report();
  const found = tests.map(({ name, status, differences: [first] }) => [
    name,
    status,
    first?.message.includes(
      'which reads all columns (*) of "s": the table had 1 column when the view was created, and now has 2',
    ),
  ]);
  expect(found).toEqual([
    ['all', 'refused', true],
    ['assert', 'refused', true],
    ['only exists', 'passed', undefined],
    ['rows', 'refused', true],
    ['count', 'refused', true],
    ['view of the view', 'refused', true],
  ]);
});
