import { expect, test } from 'vitest';
import { compareTables } from '../../../flows/diff/compare-tables.ts';
import { readTables } from '../../../flows/diff/table-content.ts';
import { openTestWarehouse } from '../../../flows/pipeline-tests/run/open-test-warehouse.ts';
import { openTestProject } from '../../../flows/pipeline-tests/files/test-project.ts';

test('a table with too many rows that no component writes is equal on both sides', async () => {
  const project = openTestProject(import.meta.dirname, 'WAREHOUSE_ONE');
  await using warehouse = await openTestWarehouse(project);
  const columns = [
    { name: 'ID', type: { name: 'NUMBER', precision: 38, scale: 0 } },
    { name: 'NOTE', type: { name: 'VARCHAR', length: undefined } },
  ] as const;
  const tableName = { database: 'TEST', schema: 'PUBLIC', table: 'GIVEN' };
  const { sql } = await warehouse.createTable(tableName, columns, []);
  const leave = async (rows: string) => {
    await warehouse.run(`DELETE FROM ${sql}`);
    await warehouse.run(`INSERT INTO ${sql} SELECT range, ${rows} FROM range(100001)`);
    return readTables({ warehouse, project });
  };
  const before = await leave("CASE WHEN range = 7 THEN NULL ELSE 'a' END");
  const compare = (after: Awaited<ReturnType<typeof leave>>) =>
    compareTables(before, after, { project, onlyWritten: false });

  expect(compare(await leave("CASE WHEN range = 7 THEN NULL ELSE 'a' END"))).toEqual({
    changes: [],
    equal: 0,
  });
  expect(compare(await leave("CASE WHEN range = 8 THEN NULL ELSE 'a' END")).changes).toMatchObject([
    {
      table: 'GIVEN',
      unknown: expect.stringContaining('some rows differ (100001 before, 100001 now)') as string,
    },
  ]);
});
