import { afterAll, beforeAll, expect, test } from 'vitest';
import { variable } from '../execution/execute.ts';
import { openTestWarehouse } from '../execution/on-warehouse.ts';
import { runOne } from './run-one.ts';

let opened: Awaited<ReturnType<typeof openTestWarehouse>>;
beforeAll(async () => {
  opened = await openTestWarehouse('WAREHOUSE_TWO');
});
afterAll(() => opened[Symbol.asyncDispose]());

test('the second kind of warehouse stores all names of components and SQL in lower case', async () => {
  const schema = opened.schema();
  const columns = [['ID', 'INTEGER', '', '', '7']];
  await runOne(schema, 'create-table', { newTableName: 'Orders', createReplace: 'Create', columns });
  expect(schema.columns('orders')).toEqual([{ name: 'id', type: { name: 'INTEGER' } }]);
  await runOne(schema, 'sql-script', { sqlScript: 'INSERT INTO "ORDERS" VALUES (3)' });
  const parameters = {
    mode: 'Basic',
    table: 'ORDERS',
    tableColumns: ['Id'],
    scalarVariableMapping: [['x', 'ID']],
  };
  const done = await runOne(schema, 'query-to-scalar', parameters, {
    variables: { x: variable('NUMBER', '') },
  });
  expect(done.variable('x')).toBe('3');
  const asserted = { tableName: 'ORDERS', rowCountValue: '1' };
  expect((await runOne(schema, 'assert-table', asserted)).status).toBe('SUCCESS');
  expect((await runOne(schema, 'delete-tables', { targetTable: ['ORDERS'] })).status).toBe('SUCCESS');
  expect(schema.has('orders')).toBe(false);
});
