import { beforeEach, expect, test } from 'vitest';
import { decimal, FLOAT, NUMBER, TEXT, TIMESTAMP, VARIANT } from '../transformation/transform.ts';
import { sharedWarehouse } from './shared-warehouse.ts';

const warehouse = sharedWarehouse();
const before = [
  `CREATE SCHEMA IF NOT EXISTS "DB.S"`,
  `CREATE OR REPLACE TABLE "DB.S"."target" ("ID" DECIMAL(38,0) NOT NULL, "NAME" VARCHAR CHECK (length("NAME") <= 10), "PRICE" DECIMAL(6,2) DEFAULT 9.5, "DAY" DATE, "DOC" JSON)`,
  `COMMENT ON COLUMN "DB.S"."target"."NAME" IS 'millrace:VARCHAR(10)'`,
  `INSERT INTO "DB.S"."target" ("ID", "NAME") VALUES (100, 'before')`,
  `CREATE OR REPLACE VIEW "DB.S"."a view" AS SELECT "ID" FROM "DB.S"."target"`,
];
beforeEach(() => warehouse.prepare(before));

const rows = {
  columns: {
    ID: NUMBER,
    NAME: TEXT,
    DIGITS: TEXT,
    PRICE: decimal(38, 3),
    RATE: FLOAT,
    AT: TIMESTAMP,
    DOC: VARIANT,
  },
  rows: [
    [1, 'Ada', '12.345', '7.125', 2.5, '2026-01-02 03:04:05', { a: 1 }],
    [2, null, '3', null, null, null, null],
  ],
} as const;

function output(parameters: string): string {
  return `
rows:
  type: table-input
  parameters: { targetTable: rows, columnNames: [ID, NAME, DIGITS, PRICE, RATE, AT, DOC] }
Write:
  type: table-output
  sources: [rows]
  parameters: { warehouse: "[Environment Default]", targetTable: target, ${parameters} }
`;
}

const keys = 'columnMapping: [[ID, ID], [NAME, NAME]]';

test('Append keeps the rows of the table, and other columns get their default or NULL', async () => {
  const done = await warehouse.run(output(keys), { tables: { rows } });
  expect(await done.rows('target')).toEqual([
    [1, 'Ada', '9.50', null, null],
    [2, null, '9.50', null, null],
    [100, 'before', '9.50', null, null],
  ]);
  expect(done.results.get('Write')).toMatchObject({
    rowsWritten: 2,
    message: '2 rows written to "target".',
  });
});

test('Truncate removes the rows of the table first', async () => {
  const done = await warehouse.run(output(`${keys}, outputMode: truncate`), { tables: { rows } });
  expect((await done.rows('target')).map(([id]) => id)).toEqual([1, 2]);
});

test('Truncate without input rows leaves the table empty', async () => {
  const none = { ...rows, rows: [] };
  const done = await warehouse.run(output(`${keys}, outputMode: Truncate`), { tables: { rows: none } });
  expect(await done.rows('target')).toEqual([]);
  expect(done.results.get('Write')?.message).toBe('0 rows written to "target".');
});

test('a table that is truncated is empty when the input reads it', async () => {
  const components = `
read:
  type: table-input
  parameters: { targetTable: target, columnNames: [ID] }
Write:
  type: table-output
  sources: [read]
  parameters: { targetTable: target, outputMode: Truncate, columnMapping: [[ID, ID]] }
`;
  const done = await warehouse.run(components);
  expect(await done.rows('target')).toEqual([]);
});

test('orderBy orders semi-structured values by value, not by text', async () => {
  const done = await warehouse.run(
    output('columnMapping: [[ID, ID]], outputMode: Truncate, orderBy: [[DOC, Ascending]]'),
    {
      tables: {
        rows: {
          ...rows,
          rows: [
            [1, null, null, null, null, null, 10],
            [2, null, null, null, null, null, 9],
          ],
        },
      },
    },
  );
  expect((await done.read('target')).rows.map(([id]) => id)).toEqual([2, 1]);
});

test('orderBy may name a column that is not mapped', async () => {
  const done = await warehouse.run(
    output('columnMapping: [[ID, ID]], outputMode: Truncate, orderBy: [[DIGITS, Descending]]'),
    { tables: { rows } },
  );
  expect((await done.read('target')).rows.map(([id]) => id)).toEqual([2, 1]);
});

test.each(['Yes', 'No'])(
  'values of another type are converted, with fixDataTypeMismatches %s',
  async (fix) => {
    const mapping = 'columnMapping: [[ID, ID], [RATE, NAME], [DIGITS, PRICE], [AT, DAY], [DOC, DOC]]';
    const done = await warehouse.run(
      output(`${mapping}, fixDataTypeMismatches: ${fix}, outputMode: Truncate`),
      {
        tables: { rows },
      },
    );
    expect(await done.rows('target')).toEqual([
      [1, '2.5', '12.35', '2026-01-02', { a: 1 }],
      [2, null, '3.00', null, null],
    ]);
  },
);

test('a text becomes a semi-structured value only with fixDataTypeMismatches', async () => {
  const mapping = 'columnMapping: [[ID, ID], [NAME, DOC]]';
  await expect(warehouse.run(output(mapping), { tables: { rows } })).rejects.toThrow(
    /a.tran.yaml:\d+:\d+: Millrace does not support text in a semi-structured column/,
  );
  const done = await warehouse.run(output(`${mapping}, fixDataTypeMismatches: Yes, outputMode: Truncate`), {
    tables: { rows },
  });
  expect((await done.rows('target')).map((row) => row[4])).toEqual(['Ada', null]);
});

test.each([
  [
    'a text that is too long',
    `[[ID, ID], [DIGITS, NAME]]`,
    { 2: '12345678901' },
    /longer than VARCHAR\(10\)/,
  ],
  [
    'a cast to a text that is too long',
    `[[ID, ID], [PRICE, NAME]], fixDataTypeMismatches: Yes`,
    { 3: '12345678901.125' },
    /longer than VARCHAR\(10\)/,
  ],
  ['NULL in a column that is NOT NULL', `[[PRICE, ID]]`, { 3: null }, /NOT NULL/],
  ['a column that must be given', `[[NAME, NAME]]`, {}, /NOT NULL/],
  ['a number out of range', `[[ID, ID], [PRICE, PRICE]]`, { 3: '10000.000' }, /10000.000/],
  ['a text that is not a number', `[[ID, ID], [DIGITS, PRICE]]`, { 2: 'many' }, /many/],
])('%s is an error, and the truncated table keeps its rows', async (_title, mapping, changed, message) => {
  const [first] = rows.rows;
  const changedRows = { ...rows, rows: [Object.assign([...first], changed)] };
  await expect(
    warehouse.run(output(`outputMode: Truncate, columnMapping: ${mapping}`), {
      tables: { rows: changedRows },
    }),
  ).rejects.toThrow(message);
  const done = await warehouse.run(output(keys), { tables: { rows: { ...rows, rows: [] } } });
  expect((await done.rows('target')).map(([id]) => id)).toEqual([100]);
});

test.each([
  [
    'a missing table',
    output(keys).replace('targetTable: target', 'targetTable: nothing'),
    /"nothing" was not found/,
  ],
  [
    'another case of the table',
    output(keys).replace('targetTable: target', 'targetTable: Target'),
    /there is "DB"."S"."target": upper and lower case differ/,
  ],
  [
    'a view',
    output(keys).replace('targetTable: target', 'targetTable: a view'),
    /is a view: its rows cannot/,
  ],
  [
    'a target column that is mapped twice',
    output('columnMapping: [[ID, ID], [ID, ID]]'),
    /mapped twice in columnMapping; remove one of its two rows/,
  ],
  [
    'an unknown input column',
    output('columnMapping: [[Id, ID]]'),
    /it has "ID": upper and lower case differ/,
  ],
  ['an unknown target column', output('columnMapping: [[ID, NOPE]]'), /"NOPE" was not found in the table/],
  ['no mapping', output('columnMapping: null'), /columnMapping is not set/],
  ['an unknown mode', output(`${keys}, outputMode: Upsert`), /Millrace does not support outputMode: Upsert/],
])('%s is an error', async (_title, components, message) => {
  await expect(warehouse.run(components, { tables: { rows } })).rejects.toThrow(message);
});

test('an empty grid of mappings is an error', async () => {
  const variables = { grid: { type: 'GRID', columns: ['a', 'b'], value: [] } };
  const components = output('columnMapping: { fromGrid: { variable: grid, columns: [a, b] } }');
  await expect(warehouse.run(components, { tables: { rows }, variables })).rejects.toThrow(
    /the parameter columnMapping is a grid variable that has no rows; it needs at least one/,
  );
});

test('on a warehouse of kind 2, names are folded, lengths count bytes, and texts need a cast', async () => {
  const name = { name: 'VARCHAR', length: 3 } as const;
  const tables = {
    rows: { columns: { id: NUMBER, name: TEXT }, rows: [[1, 'Ada']] },
    target: { columns: { id: NUMBER, name }, rows: [] },
  };
  const components = (mapping: string) => `
rows:
  type: table-input
  parameters: { targetTable: ROWS, columnNames: [ID, Name] }
Write:
  type: table-output
  sources: [rows]
  parameters: { targetTable: TARGET, columnMapping: ${mapping} }
`;
  const kind = 'WAREHOUSE_TWO';
  const mapping = '[[Id, ID], [NAME, NAME]]';
  const done = await warehouse.run(components(mapping), { tables, kind });
  expect(await done.rows('target')).toEqual([[1, 'Ada']]);
  const wide = { ...tables, rows: { ...tables.rows, rows: [[1, 'Ädä']] } };
  await expect(warehouse.run(components(mapping), { tables: wide, kind })).rejects.toThrow(/VARCHAR\(3\)/);
  await expect(warehouse.run(components('[[NAME, ID]]'), { tables, kind })).rejects.toThrow(
    /VARCHAR where NUMBER\(38,0\) is expected; cast it/,
  );
  await expect(
    warehouse.run(components('[[NAME, ID]], fixDataTypeMismatches: Yes'), { tables, kind }),
  ).rejects.toThrow(/Ada/);
});
