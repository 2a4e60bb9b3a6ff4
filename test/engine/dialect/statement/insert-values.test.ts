import { describe, expect, test } from 'vitest';
import { openOrders, rowsOf, runScript } from '../write/orders.ts';

describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('%s: DEFAULT in INSERT', (kind) => {
  test('is the default value of its column, or NULL', async () => {
    await using warehouse = await openOrders(kind);
    const script = `create table d (a int default 7, b varchar(9));
      insert into d values (default, 'x'), (1, default); insert into d (b) values (default)`;
    await runScript(script, kind, warehouse);
    expect(await rowsOf('select a, b from d order by a, b', kind, warehouse)).toBe(
      '[[1,null],[7,"x"],[7,null]]',
    );
  });

  test('cannot be a part of a value', async () => {
    await using warehouse = await openOrders(kind);
    await expect(runScript('insert into orders (id) values (default + 1)', kind, warehouse)).rejects.toThrow(
      /column "DEFAULT" not found|the reserved word DEFAULT as a name/,
    );
  });
});

test('WAREHOUSE_TWO: INSERT of the first columns only, and DEFAULT VALUES', async () => {
  await using warehouse = await openOrders('WAREHOUSE_TWO');
  const script = `create table d (a int default 7, b varchar(9) default 'z');
    insert into d values (1), (2); insert into d default values`;
  await runScript(script, 'WAREHOUSE_TWO', warehouse);
  expect(await rowsOf('select a, b from d order by a', 'WAREHOUSE_TWO', warehouse)).toBe(
    '[[1,"z"],[2,"z"],[7,"z"]]',
  );
  await expect(runScript('insert into d (a, b) values (1)', 'WAREHOUSE_TWO', warehouse)).rejects.toThrow(
    'INSERT has 1 values for 2 columns',
  );
  await expect(
    runScript('insert into d values ((select 1)), (2)', 'WAREHOUSE_TWO', warehouse),
  ).rejects.toMatchObject({ construct: 'a subquery in one of several rows of VALUES' });
});

test.each([
  ["(3), ('d')", 'NUMBER(1,0) and VARCHAR(1) in one column'],
  ["('d'), (3)", 'VARCHAR(1) and NUMBER(1,0) in one column'],
  ["(true), ('d')", 'BOOLEAN and VARCHAR(1) in one column'],
  ["(null), (1), ('a')", 'NUMBER(1,0) and VARCHAR(1) in one column'],
  ["(default), (1), ('a')", 'NUMBER(1,0) and VARCHAR(1) in one column'],
])('WAREHOUSE_ONE: VALUES %s is refused, although the column takes each alone', async (rows, construct) => {
  await using warehouse = await openOrders('WAREHOUSE_ONE');
  await expect(
    runScript(`insert into orders (name) values ${rows}`, 'WAREHOUSE_ONE', warehouse),
  ).rejects.toMatchObject({ name: 'Refusal', construct });
});

test('WAREHOUSE_ONE: the rows of VALUES have the type of all values of their column', async () => {
  await using warehouse = await openOrders('WAREHOUSE_ONE');
  const script = `create table d (a varchar, b number(10, 2), c date);
    insert into d values (1, 1.005, null), (2.5, 2, '2024-01-31'), (null, null, '2024-02-01'), (default, default, default)`;
  await runScript(script, 'WAREHOUSE_ONE', warehouse);
  expect(await rowsOf('select a, b, c from d order by a, c', 'WAREHOUSE_ONE', warehouse)).toBe(
    '[["1.0","1.01",null],["2.5","2.00","2024-01-31"],[null,null,"2024-02-01"],[null,null,null]]',
  );
});
