import { expect, test } from 'vitest';
import { compiled, copy, script } from './small-projects.ts';

const files = {
  'a.tran.yaml': copy('RAW_A', ['ID', 'AMOUNT'], 'SALES'),
  'b.tran.yaml': copy('SALES', ['ID', 'AMOUNT'], 'REPORT'),
  'c.orch.yaml': script('create or replace table TOP as\nselect max(AMOUNT) as M from REPORT;'),
  'd.orch.yaml': script('create or replace table BOTH_ as\nselect ID from TOP;\nselect ID from RAW_B;'),
  'e.orch.yaml': script(
    'create or replace table LOW as\nselect ID from RAW_B;\ncreate or replace table LAST as\nselect * from LOW;',
  ),
};
const list = async (more: Readonly<Record<string, string>> = {}) => {
  const { outside, reads } = await compiled({ ...files, ...more });
  return {
    bound: reads.bound,
    tables: outside.map(
      ({ table, reads: count, binds }) => `${table.table}: ${count} reads, ${binds} to bind`,
    ),
  };
};

test('a table counts with the reads of tables that are computed from it', async () => {
  expect(await list()).toEqual({
    bound: 0,
    tables: ['RAW_A: 1 reads, 4 to bind', 'RAW_B: 2 reads, 3 to bind'],
  });
  // TOP lacks a column that its reader needs: the number is an upper limit.
  const settings = 'version: 1\nschemas: [tables.yaml]\n';
  const declared = { 'millrace.yaml': settings, 'tables.yaml': 'RAW_A: { ID: NUMBER, AMOUNT: NUMBER }\n' };
  expect(await list(declared)).toEqual({
    bound: 3,
    tables: ['RAW_B: 2 reads, 3 to bind', 'RAW_A: 1 reads, 0 to bind'],
  });
});

test('a table whose columns only a load knows is one to declare; one that is computed from it is not', async () => {
  const load = `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Make] } }
    Make: { type: create-table, parameters: { newTableName: RAW_A, columns: [[ID, '\${kind}']] } }
  variables:
    kind: { metadata: { type: TEXT, description: '', scope: SHARED, visibility: PUBLIC } }
`;
  expect(await list({ 'load.orch.yaml': load })).toEqual({
    bound: 0,
    tables: ['RAW_A: 1 reads, 4 to bind', 'RAW_B: 2 reads, 3 to bind'],
  });
});
