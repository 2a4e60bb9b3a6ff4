import { expect, test } from 'vitest';
import { type GivenTable, NUMBER, TEXT, type TransformOptions } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

const scores: GivenTable = {
  columns: { TEAM: TEXT, SCORE: NUMBER },
  rows: [
    ['a', 10],
    ['a', 7],
    ['a', 10],
    ['b', null],
    ['b', 5],
  ],
};

function ranked(parameters: string, options: TransformOptions = {}) {
  return output(
    `
scores:
  type: table-input
  parameters: { targetTable: scores, columnNames: [TEAM, SCORE] }
Rank:
  type: rank
  sources: [scores]
  parameters: ${parameters}
`,
    { tables: { scores }, ...options },
  );
}

test('equal rows have equal ranks, with a gap after them; Row Number has none', async () => {
  const { columns, rows } = await ranked(
    `{ includeInputColumns: Yes, partitionData: [TEAM], orderingWithinPartitions: [[SCORE, Descending]],
       functions: [[Rank, R], [Dense Rank, D], [Row Number, N]] }`,
  );
  expect(columns).toEqual([
    'TEAM VARCHAR',
    'SCORE NUMBER(38,0)',
    'R NUMBER(18,0)',
    'D NUMBER(18,0)',
    'N NUMBER(18,0)',
  ]);
  expect(rows).toEqual([
    ['a', 7, 3, 2, 3],
    ['a', 10, 1, 1, 1],
    ['a', 10, 1, 1, 2],
    // NULL is the largest value.
    ['b', 5, 2, 2, 2],
    ['b', null, 1, 1, 1],
  ]);
});

test.each([
  ['Ascending', [2, 1]],
  ['Descending', [1, 2]],
  ['Nulls First', [1, 2]],
])('with the direction %s, NULL and 5 have the ranks %j', async (direction, ranks) => {
  const { rows } = await ranked(
    `{ includeInputColumns: Yes, orderingWithinPartitions: [[SCORE, ${direction}]], functions: [[Rank, R]] }`,
    {
      tables: {
        scores: {
          ...scores,
          rows: [
            ['x', null],
            ['y', 5],
          ],
        },
      },
    },
  );
  expect(rows.map(([, , rank]) => rank)).toEqual(ranks);
});

test('without the input columns, only the functions remain, over one partition', async () => {
  const { columns, rows } = await ranked(
    `{ includeInputColumns: No, partitionData: , orderingWithinPartitions: [[SCORE, Asc]],
       functions: [[Cumulative Distribution, C], [Percent Rank, SCORE]] }`,
  );
  expect(columns).toEqual(['C FLOAT', 'SCORE FLOAT']);
  expect(rows).toEqual([
    [0.2, 0],
    [0.4, 0.25],
    [0.8, 0.5],
    [0.8, 0.5],
    [1, 1],
  ]);
});

test('Row Number orders ties by all columns, and says so where no order is set', async () => {
  const parameters = `{ includeInputColumns: Yes, partitionData: [], orderingWithinPartitions: [], functions: [[Row Number, N]] }`;
  const { rows, notices } = await ranked(parameters);
  expect(rows.map(([, , number]) => number)).toEqual([1, 2, 3, 4, 5]);
  expect(notices).toEqual(['no order is set: the warehouse may number the rows in any order']);
});

test('in the second kind of warehouse, names are in lower case', async () => {
  const { columns } = await ranked(
    `{ includeInputColumns: No, partitionData: [Team], orderingWithinPartitions: [[Score, Desc]], functions: [[Rank, R]] }`,
    {
      kind: 'WAREHOUSE_TWO',
      tables: { scores: { ...scores, columns: { team: TEXT, score: NUMBER } } },
    },
  );
  expect(columns).toEqual(['r BIGINT']);
});

test.each([
  ['an unknown function', '[[SCORE]]', '[[Tile, N]]', /the function "Tile"; use Row Number/],
  ['an unknown column', '[[POINTS]]', '[[Rank, N]]', /"POINTS" was not found in the input "scores"/],
  ['an unknown direction', '[[SCORE, Up]]', '[[Rank, N]]', /the order "Up"/],
  ['a rank without an order', '[]', '[[Rank, N]]', /Millrace does not support Rank without an order/],
  [
    'the name of an input column',
    '[[SCORE]]',
    '[[Rank, TEAM]]',
    /an output column with the name of an input column, "TEAM"/,
  ],
  ['two functions of one name', '[[SCORE]]', '[[Rank, N], [Row Number, N]]', /two output columns .* "N"/],
  ['no functions', '[[SCORE]]', '[]', /functions is not set/],
])('%s is an error', async (_title, ordering, functions, message) => {
  const parameters = `{ includeInputColumns: Yes, orderingWithinPartitions: ${ordering}, functions: ${functions} }`;
  await expect(ranked(parameters)).rejects.toThrow(message);
});
