import { beforeAll, describe, expect, test } from 'vitest';
import { compareWithChanges } from './compare-with-changes.ts';
import { described, inOrder, openTraced, type Traced } from './described-trace.ts';
import { tracedQueries } from './traced-queries.ts';

let traced: Traced;

beforeAll(async () => {
  traced = await openTraced();
  return () => traced[Symbol.asyncDispose]();
});

describe('a query traces to', () => {
  test.each(tracedQueries)('$sql', async ({ sql, columns, rows }) => {
    expect(described(await traced.query(sql))).toEqual(inOrder(columns, rows));
  });
});

test('the trace has every column whose values change a column of the result', async () => {
  const queries = tracedQueries.filter((_, index) => index % 2 === 0);
  expect(queries.length).toBeGreaterThan(29);
  for (const query of queries) {
    const { missing } = await compareWithChanges(traced, query, 1);
    expect.soft(missing, query.sql).toEqual([]);
  }
});

const written: readonly (readonly [sql: string, columns: Readonly<Record<string, string>>, rows?: string])[] =
  [
    ['INSERT INTO OUT ("q", "p") SELECT b, a FROM T', { q: 'T.b', p: 'T.a' }],
    ['INSERT INTO OUT SELECT a, b FROM T', { p: 'T.a', q: 'T.b' }],
    [
      `INSERT INTO OUT ("p", "q") VALUES (1, DEFAULT), ((SELECT max(a) FROM T), 'DEFAULT')`,
      { p: 'T.a#', q: '' },
    ],
    ['INSERT INTO OUT DEFAULT VALUES', {}],
    [
      `UPDATE OUT AS t_1 SET "p" = CAST(t_2.a AS INT), "q" = CASE WHEN t_2.b IS DISTINCT FROM ', x' THEN t_1.q END FROM T AS t_2 WHERE t_1.p = t_2.a`,
      { p: 'T.a', q: 'T.b+ OUT.q+' },
      'OUT.p T.a',
    ],
    ['UPDATE OUT AS t_1 SET "p" = t_1.p + 1', { p: 'OUT.p+' }],
    ['DELETE FROM OUT AS t_1 USING T AS t_2 WHERE t_1.p = t_2.a', {}, 'OUT.p T.a'],
    [
      `MERGE INTO OUT AS t_1 USING (SELECT a, b FROM T WHERE c IS NULL) AS s ON t_1.p = s.a WHEN MATCHED AND s.b = CASE WHEN s.a > 1 THEN 'WHEN' END THEN UPDATE SET "q" = s.b WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT ("p", "q") VALUES (s.a, upper(s.b))`,
      { q: 'T.b+', p: 'T.a' },
      'T.a OUT.p T.c T.b',
    ],
    [`CREATE OR REPLACE VIEW W ("k", "m") AS SELECT a1, ub || 'x' FROM V`, { k: 'V.a1', m: 'V.ub+' }],
    ['CREATE OR REPLACE TABLE OUT AS SELECT k FROM W', { k: 'W.k' }],
    ['ALTER TABLE OUT RENAME COLUMN "k" TO "z"', { z: 'OUT.k' }],
  ];

test('each statement that writes is traced like a query of what it writes', async () => {
  await traced.run('CREATE OR REPLACE TABLE OUT (p INT, q VARCHAR)');
  for (const [sql, columns, rows] of written)
    expect.soft(described(await traced.run(sql)), sql).toEqual(inOrder(columns, rows));
});

test('rows that go through a temporary table are traced to its sources', async () => {
  await traced.run('CREATE OR REPLACE TABLE OUT (p INT)');
  await traced.run('CREATE OR REPLACE TEMP TABLE millrace_rows AS SELECT a, y FROM T JOIN U ON a = x');
  const insert = 'INSERT INTO OUT ("p") SELECT q_1.a FROM temp.main.millrace_rows AS q_1 WHERE q_1.y > 1';
  expect(described(await traced.run(insert))).toEqual(inOrder({ p: 'T.a' }, 'T.a U.x U.y'));
});

test('an operator that is not known makes the columns unknown', async () => {
  expect(described(await traced.query('select * from duckdb_settings()'))).toEqual({
    columns: {},
    rows: '',
    unknown: 'the table function duckdb_settings',
  });
});
