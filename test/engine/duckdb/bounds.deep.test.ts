import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSmall, valueOf } from './open.ts';

test('a statement whose functions build too many large texts at once fails', async () => {
  await using warehouse = await openSmall();
  await warehouse.run(
    'CREATE TABLE t AS SELECT chr(97 + CAST(i % 26 AS INTEGER)) AS c FROM range(2048) r(i)',
  );
  const sql = 'SELECT max(length(upper(lower(upper(lower(upper(lower(repeat(c, 60000))))))))) FROM t';

  await expect(valueOf(warehouse, sql)).rejects.toThrow(
    /^Millrace does not support a statement that needs more than 100MB of memory; use fewer rows$/,
  );
  expect(await valueOf(warehouse, 'SELECT 42')).toBe(42);
});

test('a statement that writes far more than the limit of the file fails before its end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bounds-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const fileLimit = { size: '3MB', setting: 'the key of a setting' };
  await using warehouse = await openSmall({ file: join(folder, 'prod.db'), fileLimit });
  const sql = 'CREATE TABLE large AS SELECT md5(CAST(i AS VARCHAR)) AS h FROM range(20000000) t(i)';

  await expect(warehouse.run(sql)).rejects.toThrow(
    /^the database file would become larger than its limit of 3MB/,
  );
  await expect(valueOf(warehouse, 'SELECT count(*) FROM large')).rejects.toThrow(/large/);
});
