import { expect, test } from 'vitest';
import type { WarehouseKind } from '../../../../../engine/core/sql-type.ts';
import { openOrders, rowsOf, runScript } from '../orders.ts';

test.each(['varchar', 'text', 'nvarchar', 'varchar(256)'])(
  'WAREHOUSE_TWO: a column of type %s has 256 bytes',
  async (type) => {
    await using warehouse = await openOrders('WAREHOUSE_TWO');
    const run = async (script: string) => await runScript(script, 'WAREHOUSE_TWO', warehouse);
    await run(`create table x (s ${type}); insert into x values (repeat('a', 256))`);
    await expect(run(`insert into x values (repeat('a', 257))`)).rejects.toThrow(/256/);
    await expect(run(`insert into x values (repeat('ä', 129))`)).rejects.toThrow(/256/);
  },
);

test('WAREHOUSE_TWO: a cast to VARCHAR without a length, and CREATE TABLE … AS, keep the text', async () => {
  await using warehouse = await openOrders('WAREHOUSE_TWO');
  await runScript(`create table x as select repeat('a', 300)::varchar s`, 'WAREHOUSE_TWO', warehouse);
  expect(await rowsOf('select length(s) from x', 'WAREHOUSE_TWO', warehouse)).toBe('[[300]]');
});

test('WAREHOUSE_ONE: VARCHAR without a length has no such limit', async () => {
  await using warehouse = await openOrders('WAREHOUSE_ONE');
  const script = `create table x (s varchar); insert into x values (repeat('a', 300))`;
  await expect(runScript(script, 'WAREHOUSE_ONE', warehouse)).resolves.toBeUndefined();
});

const refused: readonly (readonly [WarehouseKind, string, string])[] = [
  ['WAREHOUSE_ONE', 'varchar(0)', 'VARCHAR(0)'],
  ['WAREHOUSE_ONE', 'char(0)', 'CHAR(0)'],
  ['WAREHOUSE_ONE', 'varchar(999999999)', 'VARCHAR(999999999)'],
  ['WAREHOUSE_ONE', 'bpchar', 'the type BPCHAR'],
  ['WAREHOUSE_TWO', 'varchar(0)', 'VARCHAR(0)'],
  ['WAREHOUSE_TWO', 'varchar(65536)', 'VARCHAR(65536)'],
  ['WAREHOUSE_TWO', 'bpchar', 'the type BPCHAR'],
  ['WAREHOUSE_TWO', 'decimal(38, 38)', 'NUMBER(38, 38)'],
];
test.each(refused)('%s: %s is refused', async (kind, type, construct) => {
  await using warehouse = await openOrders(kind);
  for (const sql of [`create table x (v ${type})`, `select null::${type} as v from orders`])
    await expect(runScript(sql, kind, warehouse)).rejects.toMatchObject({ name: 'Refusal', construct });
});

test.each([
  ['WAREHOUSE_ONE', 'varchar(134217728)'],
  ['WAREHOUSE_ONE', 'decimal(38, 37)'],
  ['WAREHOUSE_TWO', 'varchar(65535)'],
  ['WAREHOUSE_TWO', 'character varying(10)'],
  ['WAREHOUSE_TWO', 'decimal(38, 37)'],
] as const)('%s: %s is a type', async (kind, type) => {
  await using warehouse = await openOrders(kind);
  await expect(runScript(`create table x (v ${type})`, kind, warehouse)).resolves.toBeUndefined();
});
