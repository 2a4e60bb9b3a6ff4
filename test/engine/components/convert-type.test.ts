import { expect, test } from 'vitest';
import type { WarehouseKind } from '../../../engine/core/sql-type.ts';
import { FLOAT, type GivenTable, NUMBER, TEXT } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

const items: GivenTable = {
  columns: { ID: NUMBER, AMOUNT: TEXT, DAY: TEXT, RATE: FLOAT },
  rows: [
    [1, '1.5', '2026-01-02', 2.5],
    [2, null, null, null],
  ],
};

function converted(conversions: string, rows = items.rows, kind: WarehouseKind = 'WAREHOUSE_ONE') {
  const columns = Object.entries(items.columns).map(
    ([name, type]) => [kind === 'WAREHOUSE_ONE' ? name : name.toLowerCase(), type] as const,
  );
  return output(
    `
items:
  type: table-input
  parameters: { targetTable: items, columnNames: [ID, AMOUNT, DAY, RATE] }
Convert:
  type: convert-type
  sources: [items]
  parameters: { conversions: ${conversions} }
`,
    { kind, tables: { items: { columns: Object.fromEntries(columns), rows } } },
  );
}

test('columns are converted in place; a number without a size is rounded to a whole number', async () => {
  const { columns, rows } = await converted(
    '[[DAY, DATE, "", ""], [AMOUNT, NUMBER, "", ""], [RATE, NUMBER, "", ""], [ID, VARCHAR, "20", ""]]',
  );
  expect(columns).toEqual(['ID VARCHAR(20)', 'AMOUNT NUMBER(38,0)', 'DAY DATE', 'RATE NUMBER(38,0)']);
  expect(rows).toEqual([
    ['1', 2, '2026-01-02', 3],
    ['2', null, null, null],
  ]);
});

test('a size and decimal places are kept, and a text is cut to its length', async () => {
  const { columns, rows } = await converted('[[AMOUNT, NUMBER, "38", "2"], [DAY, VARCHAR, "4", "0"]]');
  expect(columns).toEqual(['ID NUMBER(38,0)', 'AMOUNT NUMBER(38,2)', 'DAY VARCHAR(4)', 'RATE FLOAT']);
  expect(rows[0]).toEqual([1, '1.50', '2026', 2.5]);
});

test('in the second kind of warehouse, whole numbers keep their types', async () => {
  const { columns, rows } = await converted('[[Id, BIGINT, "", ""]]', items.rows, 'WAREHOUSE_TWO');
  expect(columns[0]).toBe('id BIGINT');
  expect(rows).toHaveLength(2);
});

test.each([
  ['a value that cannot be converted', '[[AMOUNT, NUMBER, "", ""]]', /the text 'x' is not a number/],
  ['an unknown type', '[[AMOUNT, MONEY, "", ""]]', /Millrace does not support the type "MONEY"/],
  ['a conversion without a rule', '[[ID, DATE, "", ""]]', /a cast from NUMBER\(38,0\) to DATE/],
  ['an unknown column', '[[OTHER, DATE, "", ""]]', /"OTHER" was not found in the input "items"/],
  [
    'a column twice',
    '[[DAY, DATE], [DAY, TIMESTAMP]]',
    /"DAY" is converted twice in conversions; remove one of its two rows/,
  ],
])('%s is an error', async (_title, conversions, message) => {
  await expect(converted(conversions, [[1, 'x', null, null]])).rejects.toThrow(message);
});
