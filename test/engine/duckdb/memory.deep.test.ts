import { expect, test } from 'vitest';
import { openSmall, valueOf } from './open.ts';

test('a statement whose functions build too many large texts at once fails', async () => {
  await using warehouse = await openSmall();
  await warehouse.run(
    'CREATE TABLE t AS SELECT chr(97 + CAST(i % 26 AS INTEGER)) AS c FROM range(2048) r(i)',
  );
  const sql = 'SELECT max(length(upper(lower(upper(lower(upper(lower(repeat(c, 60000))))))))) FROM t';

  await expect(valueOf(warehouse, sql)).rejects.toThrow(
    /^out of memory: the statement needs more than 100MB$/,
  );
  expect(await valueOf(warehouse, 'SELECT 42')).toBe(42);
});
