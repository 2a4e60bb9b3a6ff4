import { describe, expect, test } from 'vitest';
import { copyPipeline, loadPipeline, testFolder } from './test-project.ts';

const pipeline = 'daily/build-orders.tran.yaml';
const file = 'daily/build-orders.test.yaml';

/** A test whose line 5 is the given table. */
const given = (table: string, head = '') =>
  `pipeline: daily/build-orders${head}
tests:
  - name: copies
    given:
      staging_orders: ${table}
    expect: { tables: { orders: { count: 1 } } }
`;

describe('a given value that its type does not have is an error at its place, wherever it is written', () => {
  test.each<[where: string, text: string, files: Readonly<Record<string, string>>, message: string]>([
    [
      'rows',
      given('{ columns: { id: NUMBER, day: DATE }, rows: [{ id: 1 }, { id: 2, day: 2024-01-05zz }] }'),
      {},
      `${file}:5:93: row 2: "2024-01-05zz" is not a DATE, in column "day": write YYYY-MM-DD`,
    ],
    [
      'rows of a schema',
      given('{ rows: [{ id: 7_1 }] }', '\nschemas: schemas.yaml'),
      { 'daily/schemas.yaml': 'staging_orders: { id: NUMBER }\n' },
      `${file}:6:38: row 1: "7_1" is not a NUMBER(38,0), in column "id"`,
    ],
    [
      'CSV',
      given("{ columns: { id: NUMBER, amount: 'NUMBER(10,2)' }, file: rows.csv }"),
      { 'daily/rows.csv': 'id,amount\n1,2.5\n2,1_0\n' },
      `daily/rows.csv:3:3: row 2: "1_0" is not a NUMBER(10,2), in column "amount"`,
    ],
    [
      'JSON',
      given('{ columns: { id: NUMBER, day: DATE }, file: rows.json }'),
      { 'daily/rows.json': '[\n  { "id": 1, "day": "infinity" }\n]\n' },
      `daily/rows.json:2:21: row 1: "infinity" is not a DATE, in column "day": write YYYY-MM-DD`,
    ],
    [
      'JSON without the name of a column',
      given('{ file: rows.json }'),
      { 'daily/rows.json': '[\n  { "id": 1, "": 2 }\n]\n' },
      'daily/rows.json:2:18: a column has no name: write one before the colon',
    ],
    [
      'a truth value',
      given('{ columns: { id: NUMBER, paid: BOOLEAN }, rows: [{ id: 1, paid: yes }] }'),
      {},
      `${file}:5:87: row 1: "yes" is not a BOOLEAN, in column "paid": write true or false`,
    ],
    [
      'bytes that YAML reads as a number',
      given('{ columns: { id: NUMBER, key: BINARY }, rows: [{ id: 1, key: 7 }] }'),
      {},
      `${file}:5:84: row 1: "7" is not a BINARY, in column "key": write two hexadecimal digits for each byte`,
    ],
    [
      'hexadecimal digits in quotes',
      given("{ columns: { id: NUMBER }, rows: [{ id: '0x10' }] }"),
      {},
      `${file}:5:63: row 1: "0x10" is not a NUMBER(38,0), in column "id"`,
    ],
    [
      'hexadecimal digits in CSV',
      given('{ columns: { id: NUMBER }, file: rows.csv }'),
      { 'daily/rows.csv': 'id\n0x10\n' },
      `daily/rows.csv:2:1: row 1: "0x10" is not a NUMBER(38,0), in column "id"`,
    ],
    ...['inf', 'INF', '+Infinity', 'nan', 'infinity'].map(
      (word): [string, string, Readonly<Record<string, string>>, string] => [
        `${word} in CSV`,
        given('{ columns: { id: FLOAT }, file: rows.csv }'),
        { 'daily/rows.csv': `id\n${word}\n` },
        `daily/rows.csv:2:1: row 1: "${word}" is not a FLOAT, in column "id": write a number, NaN, Infinity or -Infinity`,
      ],
    ),
    ...['02024-01-05', '-2024-01-05', '24-01-05', '2024-01-05 BC'].map(
      (day): [string, string, Readonly<Record<string, string>>, string] => [
        `the day ${day}`,
        given(`{ columns: { id: DATE }, rows: [{ id: '${day}' }] }`),
        {},
        `${file}:5:61: row 1: "${day}" is not a DATE, in column "id": write YYYY-MM-DD`,
      ],
    ),
  ])('%s', async (_, text, files, message) => {
    using folder = testFolder({ [pipeline]: copyPipeline, [file]: text, ...files });
    const { code, stderr } = await folder.run();
    expect(stderr).toContain(`error: ${message}`);
    expect(code).toBe(2);
  });

  test.each<[where: string, mock: string, message: string]>([
    [
      'rows that a mock adds to a table',
      '{ rows: [{ id: 1, day: 2024-01-05zz }] }',
      '7:42: the mock of "Load Files": row 1: "2024-01-05zz" is not a DATE',
    ],
    [
      'rows of a mock with types of its own',
      '{ tables: { staging_orders: { columns: { paid: BOOLEAN }, rows: [{ paid: 1 }] } } }',
      '7:92: the mock of "Load Files": row 1: "1" is not a BOOLEAN',
    ],
  ])('%s', async (_, mock, message) => {
    using folder = testFolder({
      [pipeline]: copyPipeline,
      'daily/load.orch.yaml': loadPipeline,
      'daily/load.test.yaml': `pipeline: daily/load
tests:
  - name: loads
    given:
      staging_orders: { columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR, paid: BOOLEAN } }
    mock:
      Load Files: ${mock}
    expect: { ran: [Load Files] }
`,
    });
    const { code, stderr } = await folder.run();
    expect(stderr).toContain(`error: daily/load.test.yaml:${message}`);
    expect(code).toBe(2);
  });
});

test.each([
  [
    'given',
    '{ rows: [{ id: 0x10 }] }',
    '{ rows: [{ id: 1 }] }',
    "5:38: 0x10 is a hexadecimal number of YAML: write 16, or '0x10' in quotes for a text",
  ],
  [
    'expected',
    '{ rows: [{ id: 1 }] }',
    '{ rows: [{ id: 0o17 }] }',
    "6:48: 0o17 is an octal number of YAML: write 15, or '0o17' in quotes for a text",
  ],
  [
    'a part of semi-structured data',
    '{ rows: [{ id: { a: [0x1F] } }] }',
    '{ count: 1 }',
    '5:44: 0x1F is a hexadecimal number of YAML: write 31',
  ],
])('hexadecimal and octal numbers of YAML are an error in %s', async (_, rows, expected, message) => {
  using folder = testFolder({
    [pipeline]: copyPipeline,
    [file]: given(rows).replace('{ count: 1 }', expected),
  });
  const { code, stderr } = await folder.run();
  expect(stderr).toContain(`error: ${file}:${message}`);
  expect(code).toBe(2);
});

test('the rows of a mock keep numbers as they are written, also where only the table has the types', async () => {
  using folder = testFolder({
    'load.orch.yaml': `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Load Files] } }
    Load Files: { type: s3-load, parameters: { targetTable: loaded } }
`,
    'load.test.yaml': `pipeline: load
tests:
  - name: loads
    given:
      loaded: { columns: { code: VARCHAR, price: 'NUMBER(38,20)', rate: FLOAT, key: BINARY } }
    mock:
      Load Files:
        rows:
          - { code: 007, price: 1234567890.12345678901234567890, rate: .nan, key: 00 }
          - { code: 1.50, price: 1.5e-3, rate: 1e-7, key: 1234 }
    expect:
      tables:
        loaded:
          rows:
            - { code: '007', price: 1234567890.12345678901234567890, rate: .nan, key: '00' }
            - { code: '1.50', price: 0.0015, rate: 1e-7, key: '1234' }
`,
  });
  expect((await folder.report()).tests.map(({ differences }) => differences)).toEqual([[]]);
});

test.each([
  ['.nan', 'semi-structured data cannot store the number ".nan" exactly'],
  [
    '[1, { a: 0.12345678901234567891 }]',
    'semi-structured data cannot store the number "0.12345678901234567891" exactly',
  ],
  ['1e400', 'semi-structured data cannot store the number "1e400" exactly'],
  ['0.12345678901234567891', 'semi-structured data cannot store the number "0.12345678901234567891" exactly'],
])(
  'a number that semi-structured data would change is an error of given rows: %s',
  async (value, message) => {
    using folder = testFolder({
      [pipeline]: copyPipeline,
      [file]: given(`{ columns: { id: NUMBER, v: VARIANT }, rows: [{ id: 1, v: ${value} }] }`),
    });
    const { code, stderr } = await folder.run();
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^error: daily\/build-orders\.test\.yaml:5:\d+: /);
    expect(code).toBe(2);
  },
);

const halves = `type: orchestration
version: '1.0'
pipeline:
  components:
    Start:
      type: start
      transitions: { unconditional: [Api] }
    Api:
      type: modular-api-extract-input-v2
      transitions: { success: [Halve] }
    Halve:
      type: sql-script
      parameters:
        sqlScript: |
          create table "halves" as select "id" / 2 as "half", "big" / 2 as "big", "huge" / 2 as "huge", "part" / 2 as "part" from "given";
          create table "mocked" as select "id" / 2 as "half", "part" / 2 as "part" from "made"
`;

describe('numbers without a declared type', () => {
  const rows = (parts: string) => `{ rows: [{ ${parts} }] }`;
  const run = async (warehouse: string, expected: string) => {
    using folder = testFolder({
      'millrace.yaml': `version: 1\nengine: { warehouse: ${warehouse} }\n`,
      'h.orch.yaml': halves,
      'h.test.yaml': `pipeline: h
tests:
  - name: halves
    given: { given: ${rows('id: 7, big: 5000000001, huge: 10000000000000000001, part: 1.50')} }
    mock: { Api: { tables: { made: ${rows('id: 7, part: 1.5')} } } }
    expect: { tables: ${expected} }
`,
    });
    return await folder.report();
  };

  test('kind 2 divides whole ones as INTEGER or BIGINT, as in its SQL, and others as DECIMAL', async () => {
    const report = await run(
      'WAREHOUSE_TWO',
      `{ halves: ${rows('half: 3, big: 2500000000, huge: 5000000000000000000.5, part: 0.75')}, mocked: ${rows('half: 3, part: 0.75')} }`,
    );
    expect(report.passed, JSON.stringify(report)).toBe(1);
  });

  test('kind 1 has NUMBER for all of them', async () => {
    const report = await run(
      'WAREHOUSE_ONE',
      `{ halves: ${rows('half: 3.5, big: 2500000000.5, huge: 5000000000000000000.5, part: 0.75')}, mocked: ${rows('half: 3.5, part: 0.75')} }`,
    );
    expect(report.passed, JSON.stringify(report)).toBe(1);
  });
});
