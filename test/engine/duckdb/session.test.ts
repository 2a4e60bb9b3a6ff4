import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlFailure } from '../../../engine/duckdb/connection/sql-failure.ts';
import type { Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';
import { openSmall, valueOf } from './open.ts';

let warehouse: Warehouse;
const name = (table: string) => ({ database: 'DB', schema: 'PUBLIC', table });
const number = { name: 'NUMBER', precision: 38, scale: 0 } as const;

beforeAll(async () => {
  warehouse = await openSmall();
  await warehouse.createTable(name('T'), [{ name: 'ID', type: number }], [[1], [2]]);
});

afterAll(() => warehouse[Symbol.asyncDispose]());

const endless = 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r';
const countSql = 'SELECT count(*) FROM "DB.PUBLIC"."T"';

test('an endless recursive query ends when stopped, with those that wait, until resumed', async () => {
  const running = warehouse.run(endless);
  const waiting = warehouse.run('SELECT 1');
  warehouse.stop();

  await expect(running).rejects.toMatchObject({ name: 'WarehouseStopped' });
  await expect(waiting).rejects.toMatchObject({ name: 'WarehouseStopped' });
  await expect(warehouse.run('SELECT 1')).rejects.toMatchObject({ name: 'WarehouseStopped' });
  warehouse.resume();
  expect(await valueOf(warehouse, 'SELECT 1')).toBe(1);
});

test('a stop in the middle of a statement ends it, even if the warehouse is resumed at once', async () => {
  const running = warehouse.run(endless);
  await new Promise((resolve) => setImmediate(resolve));
  warehouse.stop();
  warehouse.resume();

  await expect(running).rejects.toMatchObject({ name: 'WarehouseStopped' });
  expect(await valueOf(warehouse, 'SELECT 1')).toBe(1);
});

test('a stopped transaction is rolled back, and its later statements are refused after resume', async () => {
  const late: unknown[] = [];
  const transaction = warehouse.transaction(async () => {
    await warehouse.run('DELETE FROM "DB.PUBLIC"."T"');
    warehouse.stop();
    warehouse.resume();
    await warehouse.run('INSERT INTO "DB.PUBLIC"."T" VALUES (9)').catch((error: unknown) => late.push(error));
  });

  await expect(transaction).rejects.toMatchObject({ name: 'WarehouseStopped' });
  expect(late).toMatchObject([{ name: 'WarehouseStopped' }]);
  expect(await valueOf(warehouse, countSql)).toBe(2);
});

test('a failed transaction restores rows and the catalog', async () => {
  const transaction = warehouse.transaction(async () => {
    await warehouse.run('DELETE FROM "DB.PUBLIC"."T"');
    await warehouse.createTable(name('NEW'), [{ name: 'A', type: number }], []);
    expect(warehouse.catalog.find(name('NEW'))).toBeDefined();
    await warehouse.run('SELECT nope');
  });

  await expect(transaction).rejects.toThrow(/"nope" was not found/);
  expect(warehouse.catalog.find(name('NEW'))).toBeUndefined();
  expect(await valueOf(warehouse, countSql)).toBe(2);
});

test('a table that cannot be created leaves the tables of the transaction around it as they were', async () => {
  await warehouse.transaction(async () => {
    await warehouse.createTable(name('KEPT'), [{ name: 'A', type: number }], [[1]]);
    await expect(warehouse.createTable(name('KEPT'), [{ name: 'A', type: number }], [['x']])).rejects.toThrow(
      /^row 1/,
    );
  });

  expect(await valueOf(warehouse, 'SELECT "A" FROM "DB.PUBLIC"."KEPT"')).toBe(1);
});

test('statements from outside wait until a transaction has ended', async () => {
  const open = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const transaction = warehouse.transaction(async () => {
    await warehouse.run('INSERT INTO "DB.PUBLIC"."T" VALUES (3)');
    open.resolve();
    await mayEnd.promise;
    await warehouse.run('INSERT INTO "DB.PUBLIC"."T" VALUES (4)');
  });
  await open.promise;
  const outside = valueOf(warehouse, countSql);
  mayEnd.resolve();

  expect(await outside).toBe(4);
  await transaction;
});

test('a transaction inside another one belongs to it', async () => {
  const before = await valueOf(warehouse, countSql);
  const outer = warehouse.transaction(async () => {
    await warehouse.transaction(() => warehouse.run('DELETE FROM "DB.PUBLIC"."T"'));
    throw new Error('no');
  });

  await expect(outer).rejects.toThrow('no');
  expect(await valueOf(warehouse, countSql)).toBe(before);
});

test('a query returns at most the rows asked for, and says whether there were more', async () => {
  const three = 'SELECT * FROM range(3) ORDER BY 1';
  expect(await warehouse.query(three, { maxRows: 2 })).toMatchObject({ rows: [[0], [1]], isCut: true });
  expect(await warehouse.query(three, { maxRows: 3 })).toMatchObject({ rows: [[0], [1], [2]], isCut: false });
  expect(await warehouse.query('SELECT * FROM range(1000000)', { maxRows: 0 })).toMatchObject({
    rows: [],
    isCut: true,
  });
});

test('a change returns the number of its rows', async () => {
  await warehouse.createTable(name('N'), [{ name: 'A', type: number }], [[1], [2], [3]]);
  expect(await warehouse.run('UPDATE "DB.PUBLIC"."N" SET "A" = 0 WHERE "A" > 1')).toBe(2);
  expect(await warehouse.run('DELETE FROM "DB.PUBLIC"."N"')).toBe(3);
});

test('an error has the position in what ran, in UTF-16 units', async () => {
  const sql = `SELECT 'ä😀' AS a, nope FROM "DB.PUBLIC"."T"`;
  await expect(warehouse.run(sql)).rejects.toMatchObject({ ran: sql, ranOffset: sql.indexOf('nope') });
});

test('a subquery with several rows is an error that suggests no setting of DuckDB', async () => {
  await expect(warehouse.run('SELECT (SELECT n FROM range(2) AS r(n))')).rejects.toMatchObject({
    message: 'a subquery in an expression has more than one row',
  });
});

test('a commit that lacks memory says so, and suggests nothing of DuckDB', () => {
  const report = {
    exception_type: 'TransactionContext',
    exception_message: 'Failed to commit: could not allocate block of size 256.0 KiB\nSet temp_directory',
  };
  const failure = sqlFailure(new Error(JSON.stringify(report)), {
    sql: 'COMMIT',
    kind: 'WAREHOUSE_ONE',
    memoryLimit: '100MB',
    hidden: [],
  });
  expect(failure.message).toBe(
    'Millrace does not support a statement that needs more than 100MB of memory; use fewer rows',
  );
});

test.each([
  ['Out of Range', 'Substring length outside of supported range (> 4294967295)', true],
  ['Out of Range', 'Overflow in multiplication of DECIMAL(38) (1 * 2)!', false],
  [
    'Conversion',
    "Type INT64 with value 5000000000 can't be cast because the value is out of range for the destination type INT32",
    true,
  ],
  ['Conversion', 'Could not convert string "abc" to DECIMAL(38,0)', false],
])('%s: %s is a limit of the engine: %s', (type, message, isLimit) => {
  const report = { exception_type: type, exception_message: message };
  const failure = sqlFailure(new Error(JSON.stringify(report)), {
    sql: 'SELECT 1',
    kind: 'WAREHOUSE_ONE',
    memoryLimit: '100MB',
    hidden: [],
  });
  expect(failure.message.startsWith('Millrace does not support ')).toBe(isLimit);
});

test('describe gives the columns of a query without running it', async () => {
  expect(
    await warehouse.describe(`SELECT "ID", error('ran') AS e, '{}'::JSON AS j FROM "DB.PUBLIC"."T"`),
  ).toMatchObject([{ name: 'ID', type: number }, { name: 'e' }, { name: 'j', type: { name: 'VARIANT' } }]);
});

test('after it is closed, a warehouse refuses statements', async () => {
  const other = await openSmall();
  await Promise.all([other[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
  other.resume();
  await expect(other.run('SELECT 1')).rejects.toMatchObject({ name: 'WarehouseStopped' });
});

test('an abort ends the statements of its own view only, running or waiting', async () => {
  const mine = new AbortController();
  const abortable = warehouse.abortable(mine.signal);
  const statements = Promise.allSettled([abortable.run(endless), abortable.run('SELECT 1')]);
  const other = valueOf(warehouse, 'SELECT 2');
  await new Promise((resolve) => setImmediate(resolve));
  mine.abort();

  const reason = { name: 'WarehouseStopped' };
  expect(await statements).toMatchObject([{ reason }, { reason }]);
  expect(await other).toBe(2);
  await expect(abortable.run('SELECT 1')).rejects.toMatchObject({ name: 'WarehouseStopped' });
  expect(await valueOf(warehouse, 'SELECT 1')).toBe(1);
});

test('a view of a view ends with either of its aborts', async () => {
  const outer = new AbortController();
  const inner = new AbortController();
  const view = warehouse.abortable(outer.signal).abortable(inner.signal);
  const running = view.run(endless);
  outer.abort();

  await expect(running).rejects.toMatchObject({ name: 'WarehouseStopped' });
});

test('a statement that waits for another execution is refused at once when its own is aborted', async () => {
  const mine = new AbortController();
  const theirs = new AbortController();
  const running = warehouse.abortable(theirs.signal).run(endless);
  const waiting = warehouse.abortable(mine.signal).run('SELECT 1');
  mine.abort();

  await expect(waiting).rejects.toMatchObject({ name: 'WarehouseStopped' });
  theirs.abort();
  await expect(running).rejects.toMatchObject({ name: 'WarehouseStopped' });
});

test('an aborted transaction is rolled back, also where its work hides the error', async () => {
  const before = await valueOf(warehouse, countSql);
  const mine = new AbortController();
  const abortable = warehouse.abortable(mine.signal);
  const transaction = abortable.transaction(async () => {
    await abortable.run('DELETE FROM "DB.PUBLIC"."T"');
    mine.abort();
  });

  await expect(transaction).rejects.toMatchObject({ name: 'WarehouseStopped' });
  expect(await valueOf(warehouse, countSql)).toBe(before);
  expect(before).toBeGreaterThan(0);
});

test('rows that are added keep those that are there, and columns that are left out have their defaults', async () => {
  const text = { name: 'VARCHAR', length: undefined } as const;
  const table = await warehouse.createTable(name('ADD'), [{ name: 'A', type: number }], [[1]]);
  await warehouse.run(`ALTER TABLE ${table.sql} ADD COLUMN "B" VARCHAR DEFAULT 'b'`);
  await warehouse.insertRows(table, [{ name: 'A', type: number }], [[2]]);
  await warehouse.insertRows(
    table,
    [
      { name: 'B', type: text },
      { name: 'A', type: number },
    ],
    [['c', 3]],
  );

  const { rows } = await warehouse.query(`SELECT "A", "B" FROM ${table.sql} ORDER BY 1`, { maxRows: 9 });
  expect(rows).toEqual([
    [1, 'b'],
    [2, 'b'],
    [3, 'c'],
  ]);
  await expect(warehouse.insertRows(table, [{ name: 'A', type: number }], [[4], ['x']])).rejects.toThrow(
    /^row 2/,
  );
});
