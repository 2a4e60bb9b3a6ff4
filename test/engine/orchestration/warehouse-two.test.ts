import { afterAll, beforeAll, expect, test } from 'vitest';
import { pipeline, variable } from '../execution/execute.ts';
import { NUMBER, openTestWarehouse, TEXT } from '../execution/on-warehouse.ts';
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

test('in the second kind, a view that a component created keeps its table, as one of SQL does', async () => {
  const schema = opened.schema();
  await schema.create('orders', { id: NUMBER, note: TEXT, more: TEXT }, [[1, 'a', 'b']]);
  const read = { type: 'table-input', parameters: { targetTable: 'orders', columnNames: ['id', 'note'] } };
  const files = {
    'view.tran.yaml': pipeline({
      Read: read,
      Write: {
        type: 'create-view',
        sources: ['Read'],
        parameters: { viewName: 'shown', viewType: 'Standard' },
      },
    }),
  };
  const made = await runOne(schema, 'run-transformation', { transformationJob: 'view' }, { files });
  expect(made.status).toBe('SUCCESS');
  const sql = (sqlScript: string) => runOne(schema, 'sql-script', { sqlScript });
  const needs = 'the view "shown" needs the';
  expect((await sql('DROP TABLE orders')).message).toContain(`${needs} table "orders"`);
  expect((await sql('ALTER TABLE orders DROP COLUMN note')).message).toContain(`${needs} column "note"`);
  expect((await sql('ALTER TABLE orders DROP COLUMN more')).status).toBe('SUCCESS');
  const dropped = await runOne(schema, 'delete-tables', { targetTable: ['orders'] });
  expect(dropped.message).toMatch(
    /the view \S+"shown" needs the table \S+"orders": drop the view first, in SQL/,
  );
  const columns = [['id', 'INTEGER', '', '', '']];
  const replace = { newTableName: 'orders', createReplace: 'Replace', columns };
  expect((await runOne(schema, 'create-table', replace)).message).toContain('needs the table');
  expect(schema.has('orders')).toBe(true);
  expect((await sql('DROP VIEW shown')).status).toBe('SUCCESS');
  expect((await runOne(schema, 'create-table', replace)).status).toBe('SUCCESS');
  expect((await runOne(schema, 'delete-tables', { targetTable: ['orders'] })).status).toBe('SUCCESS');
});

test.each([
  ['BOOLEAN', "'true'", true],
  ['BOOLEAN', "'maybe'", undefined],
  ['BOOLEAN', '1', undefined],
  ['INTEGER', "'0x10'", undefined],
  ['INTEGER', 'TRUE', undefined],
  ['DATE', "'epoch'", undefined],
  ['DATE', "'2024-01-05'", '2024-01-05'],
])('in the second kind, a default of the type %s is as in SQL: %s', async (type, value, stored) => {
  const schema = opened.schema();
  const columns = [
    ['id', 'INTEGER', '', '', '', ''],
    ['v', type, '', '', value, ''],
  ];
  await runOne(schema, 'create-table', { newTableName: 'o', createReplace: 'Create', columns });
  const done = await runOne(schema, 'sql-script', { sqlScript: 'insert into o (id) values (1)' });
  expect(done.status).toBe(stored === undefined ? 'FAILED' : 'SUCCESS');
  if (stored !== undefined) expect(await schema.rows('o')).toEqual([[1, stored]]);
});

test('table-metadata-to-grid names the types of the second kind', async () => {
  const schema = opened.schema();
  await runOne(schema, 'sql-script', {
    sqlScript: 'CREATE TABLE typed (a DECIMAL(5,2), b TIMESTAMP, c SUPER, d VARCHAR(5))',
  });
  const parameters = { targetTable: 'typed', gridVariable: 'g', gridVariableMapping: ['Name', 'Type'] };
  const variables = { g: variable('GRID', [], { columns: ['name', 'type'] }) };
  const done = await runOne(schema, 'table-metadata-to-grid', parameters, { variables });
  expect(done.variable('g')).toEqual([
    ['a', 'DECIMAL'],
    ['b', 'TIMESTAMP'],
    ['c', 'SUPER'],
    ['d', 'VARCHAR'],
  ]);
});
