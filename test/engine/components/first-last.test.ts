import { expect, test } from 'vitest';
import { type GivenTable, NUMBER, TEXT, type TransformOptions } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

const events: GivenTable = {
  columns: { ID: TEXT, AT: NUMBER, STATUS: TEXT },
  rows: [
    ['x', 2, null],
    ['x', 1, 'a'],
    ['y', 1, 'b'],
    ['y', 1, 'c'],
    [null, 1, 'd'],
  ],
};

function chosen(parameters: string, options: TransformOptions = {}) {
  return output(
    `
events:
  type: table-input
  parameters: { targetTable: events, columnNames: [ID, AT, STATUS] }
Choose:
  type: first-last
  sources: [events]
  parameters: ${parameters}
`,
    { tables: { events }, ...options },
  );
}

const byId = 'groupingColumns: [ID], orderingInPartitions: [[AT, Ascending]]';

test.each([
  ['Yes', 'Last', ['a', 'c', 'd']],
  ['No', 'Last', [null, 'c', 'd']],
  ['No', 'First', ['a', 'b', 'd']],
])('with ignoreNulls %s, %s takes %j', async (ignoreNulls, which, values) => {
  const { columns, rows } = await chosen(
    `{ ${byId}, firstLastColumns: [[STATUS, ${which}]], ignoreNulls: ${ignoreNulls} }`,
  );
  expect(columns).toEqual(['ID VARCHAR', 'STATUS VARCHAR']);
  expect(rows).toEqual([
    ['x', values[0]],
    ['y', values[1]],
    [null, values[2]],
  ]);
});

test('several columns each have their own row of the group', async () => {
  const { columns, rows } = await chosen(
    `{ groupingColumns: [ID], orderingInPartitions: [[AT, Descending]], firstLastColumns: [[STATUS, first], [AT, Last]] }`,
  );
  expect(columns).toEqual(['ID VARCHAR', 'STATUS VARCHAR', 'AT NUMBER(38,0)']);
  expect(rows).toEqual([
    ['x', null, 1],
    ['y', 'b', 1],
    [null, 'd', 1],
  ]);
});

test.each([
  ['one row', events.rows, [['d']]],
  ['none of an input without rows', [], []],
])('without grouping columns there is %s', async (_title, inputRows, rows) => {
  const result = await chosen(
    `{ groupingColumns: , orderingInPartitions: [[ID, Ascending]], firstLastColumns: [[STATUS, Last]] }`,
    { tables: { events: { ...events, rows: inputRows } } },
  );
  expect(result.rows).toEqual(rows);
});

test('in the second kind of warehouse, names are in lower case', async () => {
  const { columns } = await chosen(`{ ${byId}, firstLastColumns: [[Status, Last]] }`, {
    kind: 'WAREHOUSE_TWO',
    tables: { events: { ...events, columns: { id: TEXT, at: NUMBER, status: TEXT } } },
  });
  expect(columns).toEqual(['id VARCHAR', 'status VARCHAR']);
  await expect(
    chosen(`{ ${byId}, firstLastColumns: [[Status, Last]] }`, {
      kind: 'WAREHOUSE_TWO',
      tables: { events: { columns: { id: TEXT, at: NUMBER, status: TEXT }, rows: [['x ', 1, 'd']] } },
    }),
  ).rejects.toThrow(/does not support GROUP BY of a text that ends with a space; apply RTRIM to it/);
});

test.each([
  [
    'another word',
    `{ ${byId}, firstLastColumns: [[STATUS, Middle]] }`,
    /the function "Middle"; use First or Last/,
  ],
  ['no order', '{ groupingColumns: [ID], firstLastColumns: [[STATUS, Last]] }', /Last without an order/],
  [
    'an unknown column',
    `{ ${byId}, firstLastColumns: [[STATE, Last]] }`,
    /"STATE" was not found in the input/,
  ],
  [
    'a column twice',
    `{ ${byId}, firstLastColumns: [[AT, First], [AT, Last]] }`,
    /two output columns .* "AT"/,
  ],
  ['a grouping column', `{ ${byId}, firstLastColumns: [[ID, First]] }`, /two output columns .* "ID"/],
  ['no columns', `{ ${byId}, firstLastColumns: [] }`, /firstLastColumns is not set/],
])('%s is an error', async (_title, parameters, message) => {
  await expect(chosen(parameters)).rejects.toThrow(message);
});

test('semi-structured values order the rows by value, not by text', async () => {
  const { rows } = await chosen(
    '{ groupingColumns: [ID], orderingInPartitions: [[AT, Ascending]], firstLastColumns: [[STATUS, Last]] }',
    {
      tables: {
        events: {
          columns: { ID: TEXT, AT: { name: 'VARIANT' }, STATUS: TEXT },
          rows: [
            ['x', 10, 'late'],
            ['x', 9, 'early'],
          ],
        },
      },
    },
  );
  expect(rows).toEqual([['x', 'late']]);
});
