import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSmall, valueOf } from './open.ts';

/** More than the memory of the warehouse. */
const large =
  "CREATE TABLE main.t AS SELECT md5(i::VARCHAR) || md5(i::VARCHAR || 'x') AS v FROM range(500000) AS t(i) ORDER BY v";

test('with a folder for it, what exceeds the memory is on the disk, and SQL still has no access to other files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-'));
  const spillFolder = join(folder, 'spill');
  mkdirSync(spillFolder);
  writeFileSync(join(folder, 'secret.csv'), 'a,b\n1,2\n');
  const given = join(folder, 'given.db');
  {
    await using first = await openSmall({ file: given });
    await first.run('CREATE TABLE main.g AS SELECT 7 AS a');
  }
  {
    await using small = await openSmall({ memoryLimit: '30MB', file: join(folder, 'small.db') });
    await expect(small.run(large)).rejects.toThrow(
      'Millrace does not support a statement that needs more than 30MB of memory; use fewer rows',
    );
  }
  {
    await using warehouse = await openSmall({
      memoryLimit: '30MB',
      file: join(folder, 'a.db'),
      attached: { given },
      spillFolder,
    });
    await warehouse.run(large);
    expect(await valueOf(warehouse, 'SELECT count(*) FROM main.t')).toBe(500_000);
    expect(await valueOf(warehouse, 'SELECT a FROM given.main.g')).toBe(7);
    await expect(warehouse.run('INSERT INTO given.main.g VALUES (8)')).rejects.toThrow('read-only');
    for (const sql of [
      `SELECT * FROM read_csv('${folder}/secret.csv')`,
      `SELECT * FROM read_csv('${spillFolder}/../secret.csv')`,
      `COPY main.t TO '${folder}/out.csv'`,
      `COPY main.t TO '${spillFolder}/out.csv'`,
    ])
      await expect(warehouse.run(sql), sql).rejects.toThrow(/not allowed/);
  }
  expect(readdirSync(spillFolder)).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});
