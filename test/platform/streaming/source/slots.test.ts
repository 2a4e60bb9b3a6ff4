import { describe, expect, test } from 'vitest';
import { openSource } from '../../../../platform/streaming/source/open-source.ts';
import { SourceFailure } from '../../../../platform/streaming/source/source.ts';
import { missingPostgres } from '../../../environment/postgres.ts';
import { testPostgres } from '../../../environment/postgres-database.ts';
import { brief, copied, follow, pipelineOf, publicTable, streamFrom, takeFrom } from './follow.ts';

const reason = missingPostgres === undefined ? '' : ` (skipped, no PostgreSQL: ${missingPostgres})`;
const items = publicTable('items');

describe.skipIf(missingPostgres !== undefined)(`slots of a PostgreSQL server${reason}`, () => {
  const postgres = testPostgres();

  test('a snapshot and the stream after it have each row once, while the source writes', async () => {
    const database = await postgres.database();
    await database.sql(`
      CREATE TABLE items (id int PRIMARY KEY, n int NOT NULL);
      INSERT INTO items SELECT i, 0 FROM generate_series(1, 2000) i`);
    const clients = await Promise.all([database.connect(), database.connect()]);
    const writing = new AbortController();
    const write = async (nth: number): Promise<void> => {
      for (let i = 0; !writing.signal.aborted; i += 1) {
        const id = 10_000 + i * 2 + nth;
        await clients[nth]?.query(
          `BEGIN; INSERT INTO items VALUES (${id}, 1); UPDATE items SET n = n + 1 WHERE id % 500 = ${i % 500} AND id <= 2000; DELETE FROM items WHERE id = ${id - 20}; COMMIT`,
        );
      }
    };
    const writers = [write(0), write(1)];
    await using followed = await follow(database.address(), [items]);
    const rows = new Map(
      (await copied(followed.slot, items, ['id', 'n'])).map(([id, n]) => [String(id), String(n)]),
    );
    const problems: string[] = [];
    const apply = async (count: number) => {
      const transactions = await followed.take(count);
      for (const change of transactions.flatMap(({ changes }) => changes)) {
        const [id = ''] = change.kind === 'delete' ? change.before : 'after' in change ? change.after : [];
        const exists = rows.has(String(id));
        if (exists === (change.kind === 'insert')) problems.push(`${change.kind} ${String(id)}`);
        if (change.kind === 'delete') rows.delete(String(id));
        else if ('after' in change) rows.set(String(id), String(change.after[1]));
      }
    };
    await apply(50);
    writing.abort();
    await Promise.all(writers);
    await database.sql('INSERT INTO items VALUES (0, 0)');
    while (!rows.has('0')) await apply(1);
    const expected = await database.sql('SELECT id, n FROM items');
    expect(problems).toEqual([]);
    expect(rows).toEqual(new Map(expected.map(({ id, n }) => [id, n])));
  });

  test('a stream that starts again at a commit has exactly the transactions after it', async () => {
    const database = await postgres.database();
    await database.sql('CREATE TABLE items (id int PRIMARY KEY)');
    await using followed = await follow(database.address(), [items]);
    for (const id of [1, 2, 3]) await database.sql(`INSERT INTO items VALUES (${id})`);
    const [first] = await followed.take(3);
    await followed.stream[Symbol.asyncDispose]();
    // Nothing was acknowledged, so the server still has all of them.
    await using again = await streamFrom(
      followed.source,
      pipelineOf(database.address()),
      first?.commit.end ?? 0n,
    );
    const transactions = await takeFrom(again)(2);
    expect(transactions.flatMap(({ changes }) => changes.map(brief))).toEqual([
      ['insert', ['2']],
      ['insert', ['3']],
    ]);
  });

  test('an acknowledgement reaches the server, and the last one before the stream ends', async () => {
    const database = await postgres.database();
    await database.sql('CREATE TABLE items (id int PRIMARY KEY)');
    await using followed = await follow(database.address(), [items]);
    const { source, stream, take } = followed;
    const slot = async () => (await source.slots(pipelineOf(database.address())))[0];
    await database.sql('INSERT INTO items VALUES (1)');
    const [first] = await take(1);
    expect(await slot()).toMatchObject({ isActive: true, lost: undefined });
    expect((await slot())?.confirmed).toBeLessThan(first?.commit.end ?? 0n);
    stream.acknowledge(first?.commit.end ?? 0n);
    await expect.poll(async () => (await slot())?.confirmed).toBeGreaterThanOrEqual(first?.commit.end ?? 0n);
    await database.sql('INSERT INTO items VALUES (2)');
    const [second] = await take(1);
    // The first has just been sent, so this one would wait.
    stream.acknowledge(second?.commit.end ?? 0n);
    await stream[Symbol.asyncDispose]();
    const end = await slot();
    expect(end?.confirmed).toBeGreaterThanOrEqual(second?.commit.end ?? 0n);
    expect(end?.behindBytes).toBeGreaterThanOrEqual(0n);
    await expect.poll(async () => (await slot())?.isActive).toBe(false);
  });

  test('beside a busy database, an idle table lets the server forget its log', async () => {
    const [database, busy] = await Promise.all([postgres.database(), postgres.database()]);
    await database.sql('CREATE TABLE items (id int PRIMARY KEY)');
    await using source = await openSource(database.address());
    const name = pipelineOf(database.address());
    await source.publish(name, [items]);
    await using slot = await source.createSlot(name, { isTemporary: false, tables: [items] });
    await using stream = await streamFrom(source, name, slot.position);
    const reading = (async () => {
      for await (const list of stream.messages()) expect(list).toEqual([]);
    })();
    await busy.sql('CREATE TABLE noise AS SELECT i FROM generate_series(1, 20000) i');
    const [end] = await busy.sql(`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS position`);
    const confirmed = async () => (await source.slots(name))[0]?.confirmed;
    await expect.poll(confirmed).toBeGreaterThanOrEqual(BigInt(end?.['position'] ?? '0'));
    await stream[Symbol.asyncDispose]();
    await reading;
    // The target's position is now before the slot's, which the stream must not move back.
    await using again = await streamFrom(source, name, slot.position);
    await database.sql('INSERT INTO items VALUES (1)');
    const [transaction] = await takeFrom(again)(1);
    expect(transaction?.changes.map(brief)).toEqual([['insert', ['1']]]);
  });

  test('a stream ends when its signal aborts, without a failure', async () => {
    const database = await postgres.database();
    await database.sql('CREATE TABLE items (id int PRIMARY KEY)');
    await using followed = await follow(database.address(), [items]);
    await followed.stream[Symbol.asyncDispose]();
    const name = pipelineOf(database.address());
    const controller = new AbortController();
    await using stream = await streamFrom(followed.source, name, followed.slot.position, controller.signal);
    await database.sql('INSERT INTO items VALUES (1)');
    let lists = 0;
    for await (const _ of stream.messages()) {
      lists += 1;
      controller.abort();
    }
    expect(lists).toBe(1);
    await expect(
      streamFrom(followed.source, name, followed.slot.position, AbortSignal.abort(new Error('stopped'))),
    ).rejects.toThrow('stopped');
  });

  test('a slow reader keeps about a megabyte in memory, and its connection', async () => {
    const database = await postgres.database();
    await database.sql('CREATE TABLE items (id int PRIMARY KEY, text text)');
    await using followed = await follow({ ...database.address(), silenceMs: 200 }, [items]);
    const large = `INSERT INTO items SELECT i, repeat('x', 1000) FROM generate_series(1, 20000) i`;
    await database.sql(large);
    const sizes: number[] = [];
    let commits = 0;
    for await (const list of followed.stream.messages()) {
      sizes.push(list.reduce((sum, bytes) => sum + bytes.length, 0));
      commits += list.filter((bytes) => bytes[0] === 0x43).length;
      // Longer than the limit of silence: nothing is read in this time, so it does not count.
      if (sizes.length === 2) await new Promise((resolve) => setTimeout(resolve, 500));
      if (commits > 0) break;
    }
    expect(Math.max(...sizes)).toBeLessThan(1_200_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(20_000_000);
  });

  test('a temporary slot ends with its snapshot', async () => {
    const database = await postgres.database();
    await database.sql('CREATE TABLE items (id int PRIMARY KEY); INSERT INTO items VALUES (1)');
    await using source = await openSource(database.address());
    const name = pipelineOf(database.address());
    const slot = await source.createSlot(name, { isTemporary: true, tables: [items] });
    await database.sql('INSERT INTO items VALUES (2)');
    expect(await copied(slot, items, ['id'])).toEqual([['1']]);
    expect(await copied(slot, items, [])).toEqual([[]]);
    expect(await source.slots(name)).toHaveLength(1);
    await slot[Symbol.asyncDispose]();
    await expect.poll(() => source.slots(name)).toEqual([]);
  });

  test('from version 17, a slot follows a failover, and a temporary one does not', async () => {
    const database = await postgres.database();
    await using source = await openSource(database.address());
    const name = pipelineOf(database.address());
    await using lasting = await source.createSlot(name, { isTemporary: false, tables: [] });
    await using temporary = await source.createSlot(`${name}_2`, { isTemporary: true, tables: [] });
    expect(temporary.position).toBeGreaterThanOrEqual(lasting.position);
    const [version] = await database.sql(
      `SELECT current_setting('server_version_num')::int >= 170000 AS has_failover`,
    );
    const slots = await database.sql(
      `SELECT to_jsonb(s) ->> 'failover' AS failover FROM pg_replication_slots s WHERE slot_name LIKE '${name}%' ORDER BY slot_name`,
    );
    expect(slots.map(({ failover }) => failover)).toEqual(
      version?.['has_failover'] === 't' ? ['true', 'false'] : [null, null],
    );
  });

  test('a slot whose creation waits for a transaction is not left when the wait ends', async () => {
    const database = await postgres.database();
    await database.sql('CREATE TABLE items (id int PRIMARY KEY)');
    await using source = await openSource(database.address());
    const name = pipelineOf(database.address());
    const other = await database.connect();
    await other.query('BEGIN; INSERT INTO items VALUES (1)');
    const waits = async () =>
      (
        await database.admin(
          `SELECT wait_event FROM pg_stat_activity WHERE backend_type = 'walsender' AND datname = '${database.name}' AND wait_event_type = 'Lock'`,
        )
      ).length;
    const controller = new AbortController();
    const created = source.createSlot(name, { isTemporary: false, tables: [], signal: controller.signal });
    const refused = created.catch((error: unknown) => error);
    await expect.poll(waits).toBe(1);
    controller.abort(new Error('stopped by the user'));
    expect(await refused).toEqual(new Error('stopped by the user'));
    // The end of the source ends it too.
    const second = await openSource(database.address());
    const closed = second
      .createSlot(name, { isTemporary: false, tables: [] })
      .catch((error: unknown) => error);
    await expect.poll(waits).toBe(1);
    await second[Symbol.asyncDispose]();
    expect(await closed).toMatchObject({ message: expect.stringContaining('was closed') as string });
    await other.query('COMMIT');
    expect(await source.slots(name)).toEqual([]);
  });

  test('a copy that is not read to its end leaves the source usable', async () => {
    const database = await postgres.database();
    await database.sql('CREATE TABLE items AS SELECT i AS id FROM generate_series(1, 100000) i');
    await using source = await openSource(database.address());
    await using slot = await source.createSlot(pipelineOf(database.address()), {
      isTemporary: true,
      tables: [items],
    });
    for await (const rows of slot.copy(items, ['id'], 10)) {
      expect(rows).toHaveLength(10);
      break;
    }
    await expect(copied(slot, items, ['id'])).rejects.toThrow('was not read to its end');
    expect(await source.describe([items])).toHaveLength(1);
  });

  test('a slot is dropped once a connection has left it; nothing happens without one', async () => {
    const database = await postgres.database();
    await database.sql('CREATE TABLE items (id int PRIMARY KEY)');
    await using followed = await follow(database.address(), [items]);
    const { source, stream } = followed;
    const name = pipelineOf(database.address());
    const closing = stream[Symbol.asyncDispose]();
    await source.dropSlot(name);
    await closing;
    expect(await source.slots('')).toEqual([]);
    await source.dropSlot(name);
    await source.dropPublication(name);
    await source.dropPublication(name);
    expect(await database.sql('SELECT pubname FROM pg_publication')).toEqual([]);
  });

  test('the source connects again after the server has ended its connection', async () => {
    const database = await postgres.database();
    await using source = await openSource(database.address());
    const query = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'millrace' AND datname = '${database.name}'`;
    expect(await database.admin(query)).toHaveLength(1);
    const slots = () => source.slots('').catch((error: unknown) => error);
    await expect.poll(slots).toEqual([]);
  });

  test('SourceFailure is what a closed source throws', async () => {
    const database = await postgres.database();
    const source = await openSource(database.address());
    await source[Symbol.asyncDispose]();
    await expect(source.slots('')).rejects.toThrow(SourceFailure);
    await expect(source.createSlot('x', { isTemporary: true, tables: [] })).rejects.toThrow(SourceFailure);
  });
});
