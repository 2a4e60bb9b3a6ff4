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
