import { expect, test } from 'vitest';
import { openOrders, rowsOf, runScript } from '../write/orders.ts';

test.each([
  ['alter table orders add column b int default 7', 'ADD COLUMN with DEFAULT'],
  ['alter table orders add column b int, add column c int', 'ADD COLUMN of several columns'],
  ['drop table orders purge', 'purge after orders'],
  ['select id from orders fetch first 1 rows with ties', 'FETCH … WITH TIES'],
  ['select distinct on (id) id from orders', 'DISTINCT ON'],
])('WAREHOUSE_ONE: %s says what is refused, and what to write', async (sql, construct) => {
  await using warehouse = await openOrders('WAREHOUSE_ONE');
  await expect(runScript(sql, 'WAREHOUSE_ONE', warehouse)).rejects.toMatchObject({
    name: 'Refusal',
    construct,
    hint: expect.any(String),
  });
});

test('a no-break space is shown in the message about a text', async () => {
  await using warehouse = await openOrders('WAREHOUSE_ONE');
  const sql = "select (name || '12\u{a0}')::int from orders where id = 3";
  await expect(rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(
    String.raw`the text '512\u{a0}' is not a number`,
  );
});
