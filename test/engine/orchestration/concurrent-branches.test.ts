import { afterAll, beforeAll, expect, test } from 'vitest';
import { pipeline, variable } from '../execution/execute.ts';
import { NUMBER, openTestWarehouse } from '../execution/on-warehouse.ts';

let opened: Awaited<ReturnType<typeof openTestWarehouse>>;
beforeAll(async () => {
  opened = await openTestWarehouse();
});
afterAll(() => opened[Symbol.asyncDispose]());

const replace = 'CREATE OR REPLACE TABLE t AS SELECT 7 AS m';

/** What starts while another branch is about to change the table that it uses. */
test.each<[type: string, before: string, parameters: Readonly<Record<string, unknown>>]>([
  ['sql-script', replace, { sqlScript: 'INSERT INTO t (m) VALUES (1)' }],
  [
    'query-to-scalar',
    replace,
    { mode: 'Advanced', query: 'SELECT m FROM t', scalarVariableMapping: [['found', 'm']] },
  ],
  [
    'query-to-grid',
    replace,
    { query: 'SELECT m FROM t', gridVariable: 'rows', gridVariableMapping: [['m', 'm']] },
  ],
  ['assert-table', 'CREATE TABLE u (n NUMBER)', { tableName: 'U', exists: 'Yes' }],
  [
    'create-table',
    'CREATE TABLE u (n NUMBER)',
    { newTableName: 'U', createReplace: 'Create if not exists', columns: [['M', 'NUMBER', '38', '0']] },
  ],
])('%s is translated when the branch before it has changed its table', async (type, before, parameters) => {
  const schema = opened.schema();
  await schema.create('T', { N: NUMBER }, [[1]]);
  const { state } = await schema.run({
    'main.orch.yaml': pipeline(
      {
        Start: { type: 'start', transitions: { unconditional: ['Replace', 'Use'] } },
        Replace: { type: 'sql-script', parameters: { sqlScript: before } },
        Use: { type, parameters },
      },
      {
        found: variable('NUMBER', '0'),
        rows: { metadata: { type: 'GRID', scope: 'SHARED', visibility: 'PUBLIC', columns: ['m'] } },
      },
    ),
  });
  expect(state.failed).toBeUndefined();
  expect(state.status).toBe('SUCCESS');
  // Nothing replaced the table of the other branch.
  expect(schema.columns(schema.has('U') ? 'U' : 'T')).toMatchObject([{ name: schema.has('U') ? 'N' : 'M' }]);
});
