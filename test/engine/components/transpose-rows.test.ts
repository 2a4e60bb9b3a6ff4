import { expect, test } from 'vitest';
import { NUMBER, TEXT } from '../transformation/transform.ts';
import { outputs, type Output } from './outputs.ts';

const outputOf = outputs();

const tables = {
  reviews: {
    columns: { ID: NUMBER, RATING: NUMBER, COMMENT: TEXT },
    rows: [
      [1, 10, 'good'],
      [1, 9, null],
      [1, 2, 'bad'],
      [2, null, null],
      [null, 3, 'x'],
    ],
  },
} as const;

function transpose(parameters: string): Promise<Output> {
  return outputOf(
    `
reviews:
  type: table-input
  parameters: { targetTable: reviews, columnNames: [ID, RATING, COMMENT] }
Transpose:
  type: transpose-rows
  sources: [reviews]
  parameters: { ${parameters} }
`,
    { tables },
  );
}

test('the values of a group are joined in their order, without NULLs; NULL is a group', async () => {
  const { columns, rows } = await transpose(
    'groupings: [ID], aggregations: [RATING, COMMENT], sortOrder: null',
  );
  expect(columns).toEqual(['ID NUMBER(38,0)', 'RATING VARCHAR', 'COMMENT VARCHAR']);
  expect(rows).toEqual([
    [1, '2,9,10', 'bad,good'],
    [2, '', ''],
    [null, '3', 'x'],
  ]);
});

test('without groupings there is one row', async () => {
  expect((await transpose('groupings: null, aggregations: [RATING]')).rows).toEqual([['2,3,9,10']]);
});

test.each([
  [
    'an order',
    'aggregations: [RATING], sortOrder: [[ID, Ascending]]',
    /Millrace does not support the parameter sortOrder/,
  ],
  ['no columns', 'groupings: [ID]', /aggregations is not set/],
  [
    'a column that is grouped too',
    'groupings: [ID], aggregations: [ID]',
    /two output columns have the name "ID"/,
  ],
])('%s is an error that says where', async (_title, parameters, message) => {
  await expect(transpose(parameters)).rejects.toThrow(/a.tran.yaml:\d+:\d+: /);
  await expect(transpose(parameters)).rejects.toThrow(message);
});

test('on a warehouse of kind 2, a group without values has NULL', async () => {
  const lower = {
    reviews: {
      columns: { id: NUMBER, note: TEXT },
      rows: [
        [1, 'b'],
        [1, 'a'],
        [2, null],
      ],
    },
  };
  const { columns, rows } = await outputOf(
    `
reviews:
  type: table-input
  parameters: { targetTable: reviews, columnNames: [id, note] }
Transpose:
  type: transpose-rows
  sources: [reviews]
  parameters: { groupings: [ID], aggregations: [NOTE] }
`,
    { tables: lower, kind: 'WAREHOUSE_TWO' },
  );
  expect(columns).toEqual(['id NUMBER(38,0)', 'note VARCHAR']);
  expect(rows).toEqual([
    [1, 'a,b'],
    [2, null],
  ]);
});
