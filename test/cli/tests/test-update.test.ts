import { invisibleCharacter } from '../../../lib/core/text/visible-text.ts';
import { describe, expect, test } from 'vitest';
import { copyPipeline, loadPipeline, testFolder } from './test-project.ts';

/** A test whose expectations about rows, counts and variables are wrong, with all that must stay as it is. */
const before = `# Orders
pipeline: daily/load   # the loader
tests:
  - name: "loads"
    given:
      staging_orders:
        columns: { id: NUMBER, day: DATE, amount: 'NUMBER(10,2)', note: VARCHAR }
        rows:
          - { id: 1, amount: 10.5, note: 'a: b' }
          - { id: 2, day: 2026-01-02, amount: 3 }
    mock: { Load Files: {} }
    expect:
      tables:
        orders:
          count:   3   # wrong
          rows:
            - { id: 1,   amount: 10.50 }
            - { id: 2, amount: 4 }
            - { id: 9, amount: 9 }   # gone
      variables: { rows_loaded: 7, day: '2026-01-01' }
      ran: [Done]
  - name: other
    given: { staging_orders: { columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR }, rows: [{ id: 1, note: x }] } }
    mock: { Load Files: {} }
    expect: { tables: { orders: { rows: [{ day: null, note: y }] } } }
`;

const after = before
  .replace('count:   3 ', 'count:   2 ')
  .replace('- { id: 2, amount: 4 }\n            - { id: 9, amount: 9 }', '- { id: 2, amount: 3 }')
  .replace('rows_loaded: 7', 'rows_loaded: 2')
  .replace('[{ day: null, note: y }]', '[{ day: null, note: x }]');

function project(text: string) {
  return testFolder({
    'daily/build-orders.tran.yaml': copyPipeline,
    'daily/load.orch.yaml': loadPipeline,
    'daily/load.test.yaml': text,
  });
}

test.each([
  ['LF', (text: string) => text],
  ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
])('--update writes what was found, shows the diff, and keeps the rest, with %s', async (_, ends) => {
  using folder = project(ends(before));
  const dry = await folder.run('--update', '--dry-run');
  expect(dry.code).toBe(1);
  expect(folder.read('daily/load.test.yaml')).toBe(ends(before));
  const { code, stdout } = await folder.run('--update');
  expect(folder.read('daily/load.test.yaml')).toBe(ends(after));
  expect(code).toBe(0);
  expect(stdout).toContain('--- a/daily/load.test.yaml\n+++ b/daily/load.test.yaml\n');
  expect(stdout).toContain('-          count:   3   # wrong');
  expect(stdout).toContain('2 tests: 2 passed, 0 failed, 0 refused.');
});

test('--update does not change the expectations of a pipeline that fails', async () => {
  const text = before.replace('Load Files: {}', 'Load Files: { outcome: failure }, Notify Failure: {}');
  using folder = project(text);
  expect((await folder.run('--update', '--filter', 'loads')).code).toBe(1);
  expect(folder.read('daily/load.test.yaml')).toBe(text);
});

/** A test of the copying pipeline, with its expectation. */
const copying = (expected: string) => `pipeline: daily/build-orders
tests:
  - name: copies
    given: { staging_orders: { columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR }, rows: [{ id: 1 }] } }
    expect: ${expected}
`;

test.each([
  [
    'a column that the table lacks',
    '{ tables: { orders: { rows: [{ id: 2, gone: 7, old: 1 }] } } }',
    '5:25: --update left the rows of table "orders" unchanged, because the table has no columns "gone", "old". Correct the pipeline, or remove them from the expected rows, then run --update again.',
  ],
  [
    'no column that the table has',
    '{ tables: { orders: { rows: [{ ids: 2 }] } } }',
    '5:25: --update left the rows of table "orders" unchanged, because the table has no column "ids". Correct',
  ],
  [
    'rows in a file',
    '{ tables: { orders: { file: rows.csv } } }',
    '5:25: --update left the rows of table "orders" unchanged, because they are in the file "rows.csv", which --update does not write. Correct',
  ],
  [
    'a table that does not exist',
    '{ tables: { other: { count: 1 } } }',
    '5:25: --update left the expected table "other" in the test, because this table does not exist or cannot be read. Correct',
  ],
  [
    'a table as absent that exists',
    '{ tables: { orders: absent } }',
    '5:25: --update left "absent" at the table "orders", because this table exists. Correct',
  ],
  [
    'a component that ran as one that did not',
    '{ not-ran: [Staged] }',
    '5:25: --update left the list "not-ran" unchanged, because a component of it ran. Correct',
  ],
  [
    'another outcome',
    '{ outcome: { failure: {} } }',
    '3:11: --update left the test "copies" unchanged, because its pipeline did not end as the test expects.',
  ],
])('--update leaves a test that expects %s, and says why', async (_, expected, reason) => {
  using folder = project(copying(expected));
  folder.write('daily/rows.csv', 'id\n2\n');
  const { code, stderr } = await folder.run('--update');
  expect(folder.read('daily/load.test.yaml')).toBe(copying(expected));
  expect(stderr).toContain(`warning: daily/load.test.yaml:${reason}`);
  expect(code).toBe(1);
});

test('--update writes the number of rows beside a file whose rows are right, without a warning', async () => {
  using folder = project(copying('{ tables: { orders: { count: 4, file: rows.csv } } }'));
  folder.write('daily/rows.csv', 'id\n1\n');
  const { code, stderr } = await folder.run('--update');
  expect(folder.read('daily/load.test.yaml')).toBe(
    copying('{ tables: { orders: { count: 1, file: rows.csv } } }'),
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('--update writes all columns where no row was expected, and no row where none is left', async () => {
  const one = (rows: string) => `pipeline: daily/build-orders
tests:
  - name: copies
    given: { staging_orders: { columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR }, rows: ${rows} } }
    expect:
      tables:
        orders:
          rows:`;
  using folder = project(`${one('[{ id: 1 }]')} []\n`);
  await folder.run('--update');
  expect(folder.read('daily/load.test.yaml')).toContain(
    'rows: [{ id: 1, day: null, amount: null, note: null }]\n',
  );
  folder.write('daily/load.test.yaml', `${one('[]')}\n            - { id: 1 }\n            - { id: 2 }\n`);
  await folder.run('--update');
  expect(folder.read('daily/load.test.yaml')).toBe(`${one('[]')}\n            []\n`);
});

describe('--update in a file with anchors and aliases', () => {
  /** Tests of the copying pipeline; `expect` is the last key of each. */
  const copies = (...tests: string[]) => `pipeline: daily/build-orders\ntests:\n${tests.join('')}`;
  const columns = 'columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR }';
  const test1 = (name: string, given: string, expected: string) =>
    `  - name: ${name}\n    given: { staging_orders: { ${columns}, rows: ${given} } }\n    expect: ${expected}\n`;
  const oneRow = '[{ id: 1, note: x }]';

  /** Updates the file, and updates it again, which must change nothing more. */
  async function update(text: string) {
    using folder = project(text);
    const { stderr } = await folder.run('--update');
    const written = folder.read('daily/load.test.yaml');
    const again = await folder.run('--update');
    expect(folder.read('daily/load.test.yaml')).toBe(written);
    return { written, stderr, again };
  }

  test.each([
    [
      'rows that are an alias of given rows are written in its place',
      copies(test1('a', '&rows [{ id: 1, note: x }]', '{ tables: { orders: { rows: *rows } } }')).replace(
        'expect:',
        'mock: { Staged: { output: { rows: [{ id: 2, note: w }] } } }\n    expect:',
      ),
      ['rows: *rows', 'rows: [{ id: 2, note: w }]'],
    ],
    [
      'rows in block form that are an alias, too',
      copies(`  - name: a
    given:
      staging_orders:
        ${columns}
        rows: &rows
          - id: 1
            note: x
          - { id: 2, note: z }
    mock: { Staged: { output: { rows: [{ id: 1, note: x }, { id: 2, note: w }] } } }
    expect: { tables: { orders: { rows: *rows } } }
`),
      ['rows: *rows', 'rows: [{ id: 1, note: x }, { id: 2, note: w }]'],
    ],
    [
      'rows in block form at their anchor keep it',
      copies(
        test1('a', oneRow, '').trimEnd() +
          `
      tables:
        orders:
          rows: &rows # all
            - { id: 1, note: z }
`,
        test1('b', oneRow, '{ tables: { orders: { rows: *rows } } }'),
      ),
      ['note: z', 'note: x'],
    ],
    [
      'a value at its anchor changes for its aliases if they expect the same',
      copies(
        test1('a', oneRow, '{ tables: { orders: { rows: &rows [{ id: 1, note: z }] } } }'),
        test1('b', oneRow, '{ tables: { orders: { rows: *rows } } }'),
      ),
      ['note: z', 'note: x'],
    ],
    [
      'a whole expectation at its anchor, too',
      copies(
        test1('a', oneRow, '&all { tables: { orders: { count: 2, rows: [{ id: 3, note: z }] } } }'),
        test1('b', oneRow, '*all'),
      ),
      ['count: 2, rows: [{ id: 3, note: z }]', 'count: 1, rows: [{ id: 1, note: x }]'],
    ],
    [
      'an anchor at a row that stays is kept',
      copies(
        test1('a', '[{ id: 1 }, { id: 2 }]', '{ tables: { orders: { rows: [&one { id: 1 }, { id: 3 }] } } }'),
        test1('b', '[{ id: 1 }]', '{ tables: { orders: { rows: [*one] } } }'),
      ),
      ['{ id: 3 }', '{ id: 2 }'],
    ],
    [
      'an alias inside of rows that stay is kept',
      copies(
        test1(
          'a',
          '[{ id: &id 1 }, { id: 2 }]',
          '{ tables: { orders: { rows: [{ id: *id }, { id: 3 }] } } }',
        ),
      ),
      ['{ id: 3 }', '{ id: 2 }'],
    ],
  ])('%s', async (_title, text, [old, found]) => {
    const { written, again, stderr } = await update(text);
    expect(written).toBe(text.replace(old ?? '', found ?? ''));
    expect(stderr).toBe('');
    expect(again.code).toBe(0);
  });

  test.each([
    [
      'a value at its anchor that another test expects as it is',
      copies(
        test1('a', '[{ id: 2 }]', '{ tables: { orders: { rows: &rows [{ id: 1 }] } } }'),
        test1('b', '[{ id: 1 }]', '{ tables: { orders: { rows: *rows } } }'),
      ),
      '5:35: --update left the rows of table "orders" unchanged, because an anchor',
    ],
    [
      'rows inside of an alias of given tables',
      copies(
        `  - name: a
    given: { staging_orders: { rows: [{ id: 1, day: a, amount: 1, note: b }] }, orders: &orders { rows: [{ id: 5 }] } }
    expect: { tables: { orders: *orders } }
`,
      ),
      '5:25: --update left the rows of table "orders" unchanged, because an anchor',
    ],
    [
      'rows with an anchor that a later test uses',
      copies(
        test1('a', '[{ id: 2 }]', '{ tables: { orders: { rows: [{ id: &old 1 }] } } }'),
        test1('b', '[{ id: *old }]', '{ tables: { orders: { count: 1 } } }'),
      ),
      '5:35: --update left the rows of table "orders" unchanged, because an anchor',
    ],
  ])('%s are left with the reason', async (_title, text, warning) => {
    const { written, stderr, again } = await update(text);
    expect(written).toBe(text);
    expect(stderr).toContain(`warning: daily/load.test.yaml:${warning}`);
    expect(again.code).toBe(1);
  });

  test('one value that is left does not keep the others from being written', async () => {
    const text = copies(
      test1('a', '[{ id: 2 }]', '{ tables: { orders: { count: 4, rows: [{ id: &old 1 }] } } }'),
      test1('b', '[{ id: *old }]', '{ tables: { orders: { count: 7 } } }'),
    );
    const { written } = await update(text);
    expect(written).toBe(text.replace('count: 4', 'count: 1').replace('count: 7', 'count: 1'));
  });
});

/** Texts that look like other values, that YAML could read as something else, or that cannot be seen. */
const plainTexts = `;  ;a ;1;1.50;007;1e3;0x10;1_0;true;null;~;.nan;NaN;<<;=;- a;# a;a: b;{a;%a;!a;&a;*a;|;it's;2024-01-05;\\n`;
const unseenTexts =
  'a\tb;a\nb;a\r\nb;\u{1b}[31m;\ufeffa;a\u200bb;a\u00a0b;\u0085;\u2028;\u2029;e\u0301;\u212b;\u00e9;😀;a\u202eb;\u2066a;\u{e0041};\u3164;\ue000';
const texts = `${plainTexts};${unseenTexts}`.split(';');

const everyType = `{ v: VARCHAR, nan: FLOAT, large: FLOAT, long: NUMBER, price: 'NUMBER(10,2)', paid: BOOLEAN, day: DATE,
          time: TIME, at: TIMESTAMP, zoned: TIMESTAMP_TZ, bytes: BINARY, tree: VARIANT, 'y': NUMBER, '<<': NUMBER }`;
const everyValue = `nan: .nan, large: -.inf, long: 12345678901234567890123456789012345678, price: 1.5, paid: true,
            day: 2024-02-29, time: '10:00:00.5', at: '2024-01-05 10:00:00.123456', zoned: '2024-01-05 10:00:00.000 +0200',
            bytes: 00ff, tree: { 'a: b': [1, null, '1', {}, []] }, 'y': 1, '<<': 2`;

const copyOf = (query: string) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Make] } }
    Make: { type: sql-executor, parameters: { sqlScript: ${JSON.stringify(`CREATE TABLE "out" AS ${query}`)} } }
`;

test('--update writes values of every type so that the test passes then', async () => {
  using folder = testFolder({
    'every.orch.yaml': copyOf('SELECT * FROM "inp"'),
    'every.test.yaml': `pipeline: every
tests:
  - name: copies
    given:
      inp:
        columns: ${everyType}
        rows:
${texts.map((text) => `          - { v: ${JSON.stringify(text)},\n            ${everyValue} }\n`).join('')}
    expect: { tables: { out: { rows: [] } } }
`,
  });
  expect((await folder.report()).tests[0]?.differences).toHaveLength(texts.length);
  await folder.run('--update');
  const written = folder.read('every.test.yaml');
  expect(written.slice(written.indexOf('expect:')).replaceAll('\n', '')).not.toMatch(
    new RegExp(invisibleCharacter, 'u'),
  );
  for (const escape of ['"\\ufeffa"', '"a\\u200bb"', '"\\u2028"', '"e\\u0301"', '"é"', '"\\U000e0041"'])
    expect(written).toContain(`{ v: ${escape},`);
  expect(written).toContain(
    "'1_0', nan: .nan, large: -.inf, long: 12345678901234567890123456789012345678, price: 1.5, paid: true, day: '2024-02-29', " +
      "time: '10:00:00.5', at: '2024-01-05 10:00:00.123456', zoned: '2024-01-05 08:00:00+00:00', bytes: '00FF', ",
  );
  expect((await folder.report()).tests.map(({ differences }) => differences)).toEqual([[]]);
});

test('--init writes what is not a number and times with a zone so that the test passes', async () => {
  using folder = testFolder({
    'every.orch.yaml': copyOf(
      "SELECT 'NaN'::float AS n, 'inf'::float AS i, '2024-01-05 10:00:00.5'::timestamp_tz AS z, 1e300::float AS l",
    ),
  });
  expect(await folder.run('--find-rows', '0s', '--init', 'every')).toMatchObject({ code: 0 });
  expect(folder.read('every.test.yaml')).toContain(
    "{ 'N': .nan, I: .inf, Z: '2024-01-05 10:00:00.5+00:00', L: 1e+300 }",
  );
  expect(await folder.report()).toMatchObject({ passed: 1, failed: 0 });
});

test.each([
  ['WAREHOUSE_ONE', "parse_json('12345678901234567.25')", "parse_json('[12345678901234567.25]')"],
  ['WAREHOUSE_TWO', '12345678901234567.25::super', '12345678901234567.25::super'],
])(
  '%s: a decimal of semi-structured data is compared and written with all digits',
  async (kind, value, list) => {
    const sql = `create table "t" as select ${value} as "v", ${list} as "l"`;
    const written = (number: string) =>
      `pipeline: a\ntests: [{ name: t, expect: { tables: { t: { rows: [{ v: ${number}, l: ${kind === 'WAREHOUSE_ONE' ? `[${number}]` : number} }] } } } }]\n`;
    using folder = testFolder({
      'millrace.yaml': `version: 1\nengine: { warehouse: ${kind} }\n`,
      'a.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { success: [Write] } }
    Write: { type: sql-executor, parameters: { scriptLocation: Component, sqlScript: ${JSON.stringify(sql)} } }
`,
      'a.test.yaml': written('12345678901234568'),
    });
    const { tests } = await folder.report();
    expect(JSON.stringify(tests)).toContain('12345678901234567.25');
    expect(await folder.run('--update')).toMatchObject({ code: 0 });
    expect(folder.read('a.test.yaml')).toBe(written('12345678901234567.25'));
    folder.write('a.test.yaml', written('12345678901234567.26'));
    expect(await folder.run()).toMatchObject({ code: 1 });
  },
);

/** A test of two rows, with the expected ones at an indentation of 10. */
const commented = (rows: string) => `pipeline: daily/build-orders
tests:
  - name: copies
    given:
      staging_orders:
        columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR }
        rows: [{ id: 1, note: x }, { id: 2, note: z }]
    expect:
      tables:
        orders:
          rows:
${rows}          count: 2 # rows
`;

test.each([
  [
    'in a changed row and between rows',
    `          # ticket 17
          - { id: 1.0, note: q } # was x

          # second
          - id: 2
            # its note
            note: |
              old
              text
`,
    `          # ticket 17
          - { id: 1.0, note: x } # was x

          # second
          - id: 2
            # its note
            note: z
`,
  ],
  [
    'after the last row, if rows are added',
    `          - { id: 1, note: x } # stays
          # end
`,
    `          - { id: 1, note: x } # stays
          - { id: 2, note: z }
          # end
`,
  ],
  [
    'beside rows that are removed',
    `          - { id: 7, note: a }
          # first
          - { id: 1, note: x } # one
          -
            id: 8
            note: b
          # second
          - { id: 2, note: z }
          - { id: 9, note: c }
`,
    `          # first
          - { id: 1, note: x } # one
          # second
          - { id: 2, note: z }
`,
  ],
  [
    'inside brackets',
    `            [
              { id: 1, note: 'q # text' }, # one
              # two
              { id: 2, note: z },
            ]
`,
    `            [
              { id: 1, note: x }, # one
              # two
              { id: 2, note: z },
            ]
`,
  ],
])('--update keeps comments %s, with LF and CRLF', async (_, rows, kept) => {
  for (const ends of ['\n', '\r\n']) {
    const text = (part: string) => commented(part).replaceAll('\n', ends);
    using folder = project('');
    folder.write('daily/load.test.yaml', text(rows));
    const { code, stdout } = await folder.run('--update');
    expect(folder.read('daily/load.test.yaml')).toBe(text(kept));
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.not.stringContaining('left the rows') });
  }
});

test.each([
  [
    'of a removed row',
    `          - { id: 1, note: x }\n          - { id: 9 } # gone\n          - { id: 2, note: z }\n`,
    13,
  ],
  ['of all rows that are replaced', `            [\n              { id: 9 }, # gone\n            ]\n`, 13],
  [
    'of a block text',
    `          - { id: 1, note: x }\n          - id: 2\n            note: | # old\n              v\n`,
    14,
  ],
])('--update leaves rows whose comment it would lose, with its line: one %s', async (_, rows, line) => {
  using folder = project('');
  folder.write('daily/load.test.yaml', commented(rows));
  const { code, stdout, stderr } = await folder.run('--update');
  expect(code).toBe(1);
  expect(folder.read('daily/load.test.yaml')).toBe(commented(rows));
  expect(stdout + stderr).toContain(
    `--update left the rows of table "orders" unchanged, because the comment in line ${line} would be lost`,
  );
});
