import process from 'node:process';
import { openWarehouse } from '../../../engine/duckdb/open-warehouse.ts';

/** A process that a test kills: creates a table in the file given, then adds two rows in each transaction. */
const warehouse = await openWarehouse({
  kind: 'WAREHOUSE_ONE',
  memoryLimit: '100MB',
  file: process.argv[2] ?? '',
});
const table = await warehouse.createTable(
  { database: 'DB', schema: 'PUBLIC', table: 'T' },
  [
    { name: 'N', type: { name: 'NUMBER', precision: 38, scale: 0 } },
    { name: 'S', type: { name: 'VARCHAR', length: 40 } },
  ],
  [],
);
// The log of an altered table with a check must be readable again too.
await warehouse.run(`ALTER TABLE ${table.sql} ADD COLUMN "D" DATE`);
for (let n = 0; ; n += 1) {
  await warehouse.transaction(async () => {
    await warehouse.run(`INSERT INTO ${table.sql} VALUES (${n}, 'first', NULL)`);
    await warehouse.run(`INSERT INTO ${table.sql} VALUES (${n}, 'second', NULL)`);
  });
  process.stdout.write(`${n}\n`);
}
