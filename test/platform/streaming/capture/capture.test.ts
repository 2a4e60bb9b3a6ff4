import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingPostgres, type PostgresServer, startPostgresServer } from '../../../environment/postgres.ts';
import { openShop, type Shop, sourceRows, targetRows } from './shop.ts';
import { ordersTable, workload } from './workload.ts';

describe.skipIf(missingPostgres !== undefined)(`a capture (${missingPostgres ?? 'with PostgreSQL'})`, () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgresServer();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test('COPY_TABLE equals the source after changes of every kind, before, during and after the snapshot', async () => {
    await using shop = await openShop(server, ordersTable, { batchRows: 50 });
    const statements = [...workload(43, 120)];
    shop.capture.start();
    for (const statement of statements.slice(0, 60)) await shop.sql(statement);
    await shop.sql(`INSERT INTO orders (id, note) VALUES (-2, 'half')`);
    await shop.caughtUp();
    expect(await targetRows(shop)).toEqual(await sourceRows(shop));
    await shop.capture.stop();
    for (const statement of statements.slice(60)) await shop.sql(statement);
    shop.capture.start();
    // New columns come with the next change of the table.
    await shop.sql(`INSERT INTO orders (id, note) VALUES (-1, 'last')`);
    await shop.caughtUp();
    expect(await targetRows(shop)).toEqual(await sourceRows(shop));
  });

  test('COPY_TABLE_SOFT_DELETE equals the source, and keeps deleted rows with a mark', async () => {
    await using shop = await openShop(server, ordersTable, {
      transformation: 'COPY_TABLE_SOFT_DELETE',
      batchRows: 50,
    });
    shop.capture.start();
    for (const statement of workload(44, 80)) await shop.sql(statement);
    await shop.sql(
      `INSERT INTO orders (id, note) VALUES (-1, 'kept'); UPDATE orders SET note = 'last' WHERE id = -1`,
    );
    await shop.caughtUp();
    await shop.sql('DELETE FROM orders WHERE id = -1');
    await shop.caughtUp();
    expect(await targetRows(shop, 'orders', 'NOT "IS_DELETED"')).toEqual(await sourceRows(shop));
    const gone = await shop.warehouse.query(
      `SELECT "NOTE", length("BIG"), "IS_DELETED" FROM "RAW.PUBLIC"."ORDERS" WHERE "ID" = -1`,
      { maxRows: 10 },
    );
    expect(gone.rows).toEqual([['last', 6000, true]]);
  });

  test('CHANGE_LOG replays to the source, in the order of positions', async () => {
    await using shop = await openShop(server, ordersTable, { transformation: 'CHANGE_LOG', batchRows: 50 });
    shop.capture.start();
    const statements = [...workload(45, 80)].filter((statement) => !statement.includes('ALTER'));
    for (const statement of statements) await shop.sql(statement);
    await shop.caughtUp();
    expect(await replayed(shop)).toEqual(await sourceByKey(shop));
    await shop.capture.snapshot();
    await shop.caughtUp();
    expect(await replayed(shop)).toEqual(await sourceByKey(shop));
  });

  test('a table without a primary key keeps equal rows apart', async () => {
    await using shop = await openShop(
      server,
      `CREATE TABLE orders (a integer, b text); ALTER TABLE orders REPLICA IDENTITY FULL;
       INSERT INTO orders VALUES (1, 'x'), (1, 'x'), (2, NULL), (2, '')`,
    );
    shop.capture.start();
    await shop.reached('streaming');
    await shop.sql(`INSERT INTO orders VALUES (1, 'x'), (3, NULL), (3, NULL)`);
    await shop.sql(`DELETE FROM orders WHERE ctid = (SELECT min(ctid) FROM orders WHERE a = 1)`);
    await shop.sql(`UPDATE orders SET b = 'y' WHERE ctid = (SELECT min(ctid) FROM orders WHERE a = 3)`);
    await shop.caughtUp();
    expect(await targetRows(shop)).toEqual(await sourceRows(shop));
    await shop.sql('TRUNCATE orders');
    await shop.caughtUp();
    expect(await targetRows(shop)).toEqual([]);
  });

  test('a transaction over several tables is visible at once, also one that is larger than the memory of a batch', async () => {
    await using shop = await openShop(
      server,
      'CREATE TABLE orders (id bigint PRIMARY KEY); CREATE TABLE lines (id bigint PRIMARY KEY, note text)',
      { tables: ['orders', 'lines'], batchRows: 100 },
    );
    shop.capture.start();
    await shop.reached('streaming');
    await shop.sql(
      `BEGIN; INSERT INTO orders SELECT i FROM generate_series(1, 5000) i;
       INSERT INTO lines SELECT i, repeat('x', 4000) FROM generate_series(1, 5000) i; COMMIT`,
    );
    const counts = new Set<string>();
    const over = new AbortController();
    const counting = (async () => {
      while (!over.signal.aborted) {
        const { rows } = await shop.warehouse.query(
          'SELECT (SELECT count(*) FROM "RAW.PUBLIC"."ORDERS"), (SELECT count(*) FROM "RAW.PUBLIC"."LINES")',
          { maxRows: 1 },
        );
        counts.add(JSON.stringify(rows[0]));
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await shop.caughtUp();
    over.abort();
    await counting;
    expect([...counts].toSorted()).toEqual(['[0,0]', '[5000,5000]']);
  });

  test('a server that is stopped or crashes is waited for, and nothing is lost or doubled', async () => {
    const own = await startPostgresServer();
    try {
      await using shop = await openShop(own, ordersTable);
      shop.capture.start();
      await shop.reached('streaming');
      await shop.sql(`INSERT INTO orders (id) VALUES (1001)`);
      await own.stop();
      await shop.reached('starting');
      expect(shop.capture.reason?.message).toMatch(/127\.0\.0\.1/);
      await own.start();
      await shop.sql(`INSERT INTO orders (id) VALUES (1002)`);
      await shop.caughtUp();
      await own.kill();
      await own.start();
      await shop.sql(`INSERT INTO orders (id) VALUES (1003)`);
      await shop.caughtUp();
      expect(await targetRows(shop)).toEqual(await sourceRows(shop));
    } finally {
      await own[Symbol.asyncDispose]();
    }
  });

  test('without its slot, a pipeline fails with the reason; a new snapshot repairs it', async () => {
    await using shop = await openShop(server, ordersTable);
    shop.capture.start();
    await shop.reached('streaming');
    await shop.capture.stop();
    await shop.rows(
      `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = '${shop.database}'`,
    );
    await shop.sql('DELETE FROM orders WHERE id < 50');
    shop.capture.start();
    await shop.reached('not_running');
    expect(shop.capture.reason).toMatchObject({
      message: expect.stringContaining('does not have the replication slot millrace_') as unknown,
      hint: 'Take a new snapshot of the pipeline: its page in the inspector has a button for it.',
    });
    await shop.capture.snapshot();
    shop.capture.start();
    await shop.caughtUp();
    expect(await targetRows(shop)).toEqual(await sourceRows(shop));
  });

  test.each([
    ['without a primary key', 'CREATE TABLE orders (id bigint)'],
    [
      'without a replica identity',
      'CREATE TABLE orders (id bigint PRIMARY KEY); ALTER TABLE orders REPLICA IDENTITY NOTHING',
    ],
  ])('a table %s is refused, because applications could not change its rows any more', async (_, table) => {
    await using shop = await openShop(server, table);
    shop.capture.start();
    await shop.reached('not_running');
    expect(shop.capture.reason).toMatchObject({
      message: expect.stringContaining('PostgreSQL would refuse UPDATE and DELETE') as unknown,
      hint: expect.stringContaining('ALTER TABLE "public"."orders" REPLICA IDENTITY FULL') as unknown,
    });
    await shop.sql('INSERT INTO orders VALUES (1); UPDATE orders SET id = 2; DELETE FROM orders');
  });

  test('a value that the warehouse cannot hold ends the pipeline with the value, and the target stays as it was', async () => {
    await using shop = await openShop(
      server,
      `CREATE TABLE orders (id bigint PRIMARY KEY, at date); INSERT INTO orders VALUES (1, '2024-01-05')`,
    );
    shop.capture.start();
    await shop.reached('streaming');
    await shop.sql(
      `BEGIN; INSERT INTO orders VALUES (2, '2024-01-06'); INSERT INTO orders VALUES (3, 'infinity'); COMMIT`,
    );
    await shop.reached('not_running');
    expect(shop.capture.reason?.message).toContain('"infinity" is not a DATE, in column "AT"');
    expect(await targetRows(shop)).toEqual([['1', '2024-01-05']]);
  });

  test('a table that a pipeline has dropped gets a new snapshot', async () => {
    await using shop = await openShop(server, ordersTable);
    shop.capture.start();
    await shop.reached('streaming');
    await shop.warehouse.run('DROP TABLE "RAW.PUBLIC"."ORDERS"');
    await shop.warehouse.refresh();
    await shop.capture.stop();
    shop.capture.start();
    await shop.sql('DELETE FROM orders WHERE id < 50');
    await shop.caughtUp();
    expect(await targetRows(shop)).toEqual(await sourceRows(shop));
  });

  test('the removal of a pipeline leaves nothing in the source', async () => {
    await using shop = await openShop(server, ordersTable);
    shop.capture.start();
    await shop.reached('streaming');
    await shop.capture.remove();
    expect(
      await shop.rows(`SELECT slot_name FROM pg_replication_slots WHERE database = '${shop.database}'`),
    ).toEqual([]);
    expect(await shop.rows('SELECT pubname FROM pg_publication')).toEqual([]);
  });

  test('a start while it stops begins afterwards, and a stop after it wins', async () => {
    await using shop = await openShop(server, ordersTable);
    shop.capture.start();
    await shop.reached('streaming');
    const stopping = shop.capture.stop();
    expect(shop.capture.status).toBe('stopping');
    shop.capture.start();
    await stopping;
    await shop.reached('streaming');
    const first = shop.capture.stop();
    shop.capture.start();
    await Promise.all([first, shop.capture.stop()]);
    expect(shop.capture.status).toBe('not_running');
  });

  test('a stop while it snapshots ends it, and the next start begins the snapshot again', async () => {
    await using shop = await openShop(
      server,
      "CREATE TABLE orders (id bigint PRIMARY KEY, note text); INSERT INTO orders SELECT i, repeat('x', 100) FROM generate_series(1, 20000) i",
      { batchRows: 100 },
    );
    shop.capture.start();
    await shop.reached('snapshotting');
    await shop.capture.stop();
    expect(shop.capture.status).toBe('not_running');
    shop.capture.start();
    await shop.caughtUp();
    expect(await targetRows(shop)).toEqual(await sourceRows(shop));
  });

  test.each([
    ['dropped', 'DROP TABLE orders', /does not have the table "public"\."orders"/],
    [
      'dropped and created again',
      'DROP TABLE orders; CREATE TABLE orders (id bigint PRIMARY KEY)',
      /does not have the table public\.orders any more, so its changes are not captured/,
    ],
  ])('a table that is %s while it streams ends it with the reason', async (_, statements, reason) => {
    await using shop = await openShop(server, 'CREATE TABLE orders (id bigint PRIMARY KEY)');
    shop.capture.start();
    await shop.reached('streaming');
    await shop.sql('INSERT INTO orders VALUES (1)');
    await shop.caughtUp();
    await shop.sql(statements);
    await shop.reached('not_running');
    expect(shop.capture.reason?.message).toMatch(reason);
    // The next start says the same, until the table is there and has a new snapshot.
    shop.capture.start();
    await shop.reached('not_running');
    expect(shop.capture.reason?.message).toMatch(reason);
    await shop.sql(
      'CREATE TABLE IF NOT EXISTS orders (id bigint PRIMARY KEY); INSERT INTO orders VALUES (2)',
    );
    await shop.capture.snapshot();
    shop.capture.start();
    await shop.caughtUp();
    expect(await targetRows(shop)).toEqual([['2']]);
  });
});

/** The rows that a change log gives, by their keys. */
async function replayed(shop: Shop): Promise<ReadonlyMap<string, unknown>> {
  const { rows } = await shop.warehouse.query(
    'SELECT * FROM "RAW.PUBLIC"."ORDERS" ORDER BY "POSITION", "TRANSACTION_ORDER"',
    { maxRows: 1_000_000 },
  );
  const result = new Map<string, Record<string, unknown>>();
  for (const [operation, before, after] of rows as readonly [string, Json, Json][]) {
    const old = String((before ?? after)?.['id']);
    const last = result.get(old);
    if (operation === 'truncate') result.clear();
    if (operation === 'delete' || operation === 'update') result.delete(old);
    if (operation !== 'delete' && operation !== 'truncate')
      result.set(String(after?.['id']), { ...last, ...after });
  }
  return new Map([...result].map(([key, row]) => [key, Object.values(row).map(String)]));
}

type Json = Readonly<Record<string, unknown>> | null;

async function sourceByKey(shop: Shop): Promise<ReadonlyMap<string, unknown>> {
  // The log has its maps in the order of their keys.
  const rows = await shop.rows('SELECT amount::float8, big, flag, id, note FROM orders');
  return new Map(rows.map((row) => [row[3] ?? '', row.map(String)]));
}
