import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSource } from '../../../../platform/streaming/source/open-source.ts';
import { type SourceAddress, SourceFailure } from '../../../../platform/streaming/source/source.ts';
import { type Certificates, hasOpenssl, makeCertificates } from '../../../client/transport/certificates.ts';
import { missingPostgres, type PostgresServer, startPostgresServer } from '../../../environment/postgres.ts';
import {
  createDatabase,
  type ServerWithRoles,
  setUpServer,
  type TestDatabase,
  testPostgres,
} from '../../../environment/postgres-database.ts';
import { freePorts } from '../../../environment/redis-group.ts';
import { startSilentProxy } from '../../../environment/silent-proxy.ts';
import { brief, copied, follow, pipelineOf, publicTable, streamFrom, takeFrom } from './follow.ts';

const reason = missingPostgres === undefined ? '' : ` (skipped, no PostgreSQL: ${missingPostgres})`;
const items = publicTable('items');

/** The failure of what must not succeed. */
async function failureOf(work: Promise<unknown>): Promise<SourceFailure> {
  const error: unknown = await work.then(
    () => new Error('it succeeded'),
    (problem: unknown) => problem,
  );
  if (!(error instanceof SourceFailure)) throw error;
  return error;
}

/** A failure as its fields. */
async function fieldsOf(work: Promise<unknown>) {
  const { message, hint, isTransient } = await failureOf(work);
  return { message, hint, isTransient };
}

const nowhere: SourceAddress = {
  host: '127.0.0.1',
  port: 1,
  database: 'shop',
  username: 'owner',
  password: 'the pass word',
  sslMode: 'disable',
  connectMs: 5000,
  silenceMs: 5000,
};

describe('an address without PostgreSQL', () => {
  test('a port on which nothing listens', async () => {
    const [port = 0] = await freePorts(1);
    expect(await fieldsOf(openSource({ ...nowhere, port }))).toEqual({
      message: `PostgreSQL at 127.0.0.1:${port} refuses connections.`,
      hint: 'Check host and port, that the server runs, and that its listen_addresses include this network.',
      isTransient: true,
    });
  });

  test('a host name that does not exist', async () => {
    expect(await fieldsOf(openSource({ ...nowhere, host: 'does-not-exist.invalid' }))).toEqual({
      message:
        'PostgreSQL at does-not-exist.invalid:1 was not found: the host name does-not-exist.invalid has no address.',
      hint: 'Check the host name, and the name service of this machine.',
      isTransient: true,
    });
  });

  test.each([
    ['that says nothing', '', 'did not accept a connection within 100 ms.'],
    ['that speaks another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n', ''],
  ])('a server %s', async (_, text, problem) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      if (text !== '') socket.end(text);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const failure = await failureOf(openSource({ ...nowhere, port, connectMs: 100 }));
    expect(failure.message).toContain(`PostgreSQL at 127.0.0.1:${port}`);
    expect(failure.message).toContain(problem);
    server.close();
  });
});

describe.skipIf(missingPostgres !== undefined)(`failures of a PostgreSQL server${reason}`, () => {
  const postgres = testPostgres();

  test('a wrong password, which no message has', async () => {
    const database = await postgres.database();
    const password = 'not the pass word';
    const failure = await failureOf(openSource({ ...database.address(), password }));
    expect(failure).toMatchObject({
      message: `PostgreSQL at 127.0.0.1:${postgres.server.port} does not accept the password of the user "owner".`,
      isTransient: false,
    });
    expect(`${failure.stack} ${JSON.stringify(failure)} ${failure.hint}`).not.toContain(password);
    expect(await fieldsOf(openSource({ ...database.address(), password: '' }))).toMatchObject({
      message: failure.message,
    });
  });

  test('a user that pg_hba.conf refuses', async () => {
    const database = await postgres.database();
    const { message, hint, isTransient } = await failureOf(openSource(database.address('stranger')));
    expect(message).toContain(`does not let the user "stranger" connect to the database "${database.name}"`);
    expect(hint).toContain('pg_hba.conf');
    expect(isTransient).toBe(false);
  });

  test('a database that does not exist', async () => {
    const database = await postgres.database();
    expect(await fieldsOf(openSource({ ...database.address(), database: 'Shop' }))).toEqual({
      message: `PostgreSQL at 127.0.0.1:${postgres.server.port} does not have the database "Shop".`,
      hint: 'Check the name of the database; upper and lower case matter.',
      isTransient: false,
    });
  });

  test('a server without TLS, where TLS is required', async () => {
    const database = await postgres.database();
    const failure = await failureOf(openSource({ ...database.address(), sslMode: 'require' }));
    expect(failure).toMatchObject({
      message: `PostgreSQL at 127.0.0.1:${postgres.server.port} does not offer TLS, which sslmode require requires.`,
      isTransient: false,
    });
  });

  test('a user without the right to replicate', async () => {
    const database = await postgres.database();
    await using source = await openSource(database.address('guest'));
    const name = pipelineOf(database.address());
    const expected = {
      message: `The user "guest" of PostgreSQL at 127.0.0.1:${postgres.server.port} lacks the right to replicate.`,
      hint: 'As a superuser, run: ALTER ROLE "guest" REPLICATION; (a hosted server may have a role to grant in its place)',
      isTransient: false,
    };
    expect(await fieldsOf(source.createSlot(name, { isTemporary: true, tables: [] }))).toEqual(expected);
    expect(await fieldsOf(streamFrom(source, name, 0n))).toEqual(expected);
  });

  test('tables that cannot be captured', async () => {
    const database = await postgres.database();
    await database.sql(`
      CREATE TABLE items (id int PRIMARY KEY); CREATE VIEW seen AS SELECT * FROM items; CREATE UNLOGGED TABLE quick (id int);
      CREATE MATERIALIZED VIEW stored AS SELECT * FROM items; CREATE SEQUENCE numbers;
      CREATE TABLE whole (id int PRIMARY KEY) PARTITION BY RANGE (id);
      CREATE TABLE part PARTITION OF whole FOR VALUES FROM (1) TO (9);`);
    await database.admin(`
      CREATE FOREIGN DATA WRAPPER nothing; CREATE SERVER elsewhere FOREIGN DATA WRAPPER nothing;
      CREATE FOREIGN TABLE remote (id int) SERVER elsewhere`);
    const server = `PostgreSQL at 127.0.0.1:${postgres.server.port}`;
    await using source = await openSource(database.address());
    const messageFor = async (...tables: readonly string[]) =>
      (await failureOf(source.describe(tables.map(publicTable)))).message;
    expect(await messageFor('Items')).toBe(
      `The database "${database.name}" of ${server} does not have the table "public"."Items".`,
    );
    expect(await messageFor('items', 'seen')).toBe(
      `"public"."seen" of ${server} cannot be captured: it is a view.`,
    );
    expect(await messageFor('stored')).toContain('it is a materialized view.');
    expect(await messageFor('remote')).toContain('it is a foreign table.');
    expect(await messageFor('numbers')).toContain('it is a sequence.');
    expect(await messageFor('quick')).toContain(
      'it is unlogged: its changes are not in the log of the server.',
    );
    expect(await messageFor('part', 'whole')).toBe(
      `"public"."part" of ${server} is a partition of "public"."whole", which is listed too.`,
    );
    expect(await failureOf(source.describe([{ schema: 'pg_catalog', table: 'pg_class' }]))).toMatchObject({
      message: `"pg_catalog"."pg_class" of ${server} cannot be captured: it belongs to the system.`,
    });
    expect(await source.describe([publicTable('part')])).toMatchObject([{ table: 'part' }]);
  });

  test('a table that the user may not read, with the SQL that lets it', async () => {
    const database = await postgres.database();
    await database.sql('CREATE SCHEMA "s ""x"; CREATE TABLE "s ""x".items (id int PRIMARY KEY, text text)');
    const table = { schema: 's "x', table: 'items' };
    await using source = await openSource(database.address('reader'));
    const failure = await failureOf(source.describe([table]));
    expect(failure).toMatchObject({
      message: `The user "reader" may not read "s ""x"."items" of PostgreSQL at 127.0.0.1:${postgres.server.port}.`,
      hint: 'As its owner, run: GRANT USAGE ON SCHEMA "s ""x" TO "reader"; GRANT SELECT ON "s ""x"."items" TO "reader";',
    });
    await database.sql(failure.hint?.replace('As its owner, run: ', '') ?? '');
    expect(await source.describe([table])).toMatchObject([{ columns: [{ name: 'id' }, { name: 'text' }] }]);
    await database.sql(
      'REVOKE SELECT ON "s ""x".items FROM reader; GRANT SELECT (id) ON "s ""x".items TO reader',
    );
    await expect(source.describe([table])).rejects.toThrow('may not read');
    await using slot = await source.createSlot(pipelineOf(database.address()), {
      isTemporary: true,
      tables: [],
    });
    const { hint } = await failureOf(copied(slot, table, ['id', 'text']));
    expect(hint).toBe(failure.hint?.replace('As its owner', 'As the owner'));
  });

  test('a policy that hides rows is a failure, not fewer rows', async () => {
    const database = await postgres.database();
    await database.sql(`
      CREATE TABLE items (id int PRIMARY KEY); INSERT INTO items VALUES (1), (2); GRANT SELECT ON items TO reader;
      ALTER TABLE items ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON items USING (id = 1)`);
    await using source = await openSource(database.address('reader'));
    await using slot = await source.createSlot(pipelineOf(database.address()), {
      isTemporary: true,
      tables: [items],
    });
    await expect(copied(slot, items, ['id'])).rejects.toThrow('row-level security policy');
  });

  test('a slot that does not exist, that exists already, and one that another stream reads', async () => {
    const database = await postgres.database();
    await database.sql('CREATE TABLE items (id int PRIMARY KEY)');
    await using followed = await follow(database.address(), [items]);
    const { source } = followed;
    const name = pipelineOf(database.address());
    const server = `PostgreSQL at 127.0.0.1:${postgres.server.port}`;
    expect(await failureOf(streamFrom(source, `${name}_2`, 0n))).toMatchObject({
      message: `${server} does not have the replication slot "${name}_2".`,
      isTransient: false,
    });
    expect(await failureOf(source.createSlot(name, { isTemporary: false, tables: [] }))).toMatchObject({
      message: `The replication slot "${name}" of ${server} exists already.`,
      hint: `Use another name, or drop it: SELECT pg_drop_replication_slot('${name}');`,
    });
    const inUse = await failureOf(streamFrom(source, name, followed.slot.position));
    expect(inUse.message).toContain(`The replication slot "${name}" of ${server} is in use`);
    expect(inUse.isTransient).toBe(true);
  });

  test('a publication that was dropped', async () => {
    const database = await postgres.database();
    await database.sql('CREATE TABLE items (id int PRIMARY KEY)');
    await using followed = await follow(database.address(), [items]);
    const name = pipelineOf(database.address());
    await database.sql(`DROP PUBLICATION ${name}`);
    await database.sql('INSERT INTO items VALUES (1)');
    expect(await failureOf(followed.take(1))).toMatchObject({
      message: `PostgreSQL at 127.0.0.1:${postgres.server.port} does not have the publication "${name}" at this point of its log.`,
      isTransient: false,
    });
  });

  test('a connection that an operator ends can be made again', async () => {
    const database = await postgres.database();
    await database.sql('CREATE TABLE items (id int PRIMARY KEY)');
    await using followed = await follow(database.address(), [items]);
    const taken = failureOf(followed.take(1));
    await database.admin(
      `SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE database = '${database.name}'`,
    );
    const failure = await taken;
    expect(failure.isTransient).toBe(true);
    expect(failure.message).toContain(`PostgreSQL at 127.0.0.1:${postgres.server.port}`);
  });

  test('a network that is cut without a word ends a stream, a copy and a statement', async () => {
    const database = await postgres.database();
    await database.sql(`
      CREATE TABLE items (id int PRIMARY KEY, text text); INSERT INTO items SELECT i, repeat('x', 1000) FROM generate_series(1, 20000) i`);
    await using proxy = await startSilentProxy(postgres.server.port);
    const address = { ...database.address(), port: proxy.port, silenceMs: 150, connectMs: 150 };
    await using followed = await follow(address, [items]);
    // Longer than the limit: a server that has nothing to send answers when it is asked.
    await new Promise((resolve) => setTimeout(resolve, 400));
    await database.sql(`INSERT INTO items VALUES (0, 'a')`);
    await followed.take(1);
    const lists = followed.slot.copy(items, ['id', 'text'], 10)[Symbol.asyncIterator]();
    await lists.next();
    proxy.silence();
    const expected = {
      message: `PostgreSQL at 127.0.0.1:${proxy.port} sent nothing for 150 ms.`,
      hint: 'The network between here and the server may be cut, or the server overloaded.',
      isTransient: true,
    };
    const copying = (async () => {
      while ((await lists.next()).done !== true);
    })();
    const results = await Promise.all([
      fieldsOf(followed.take(1)),
      fieldsOf(copying),
      fieldsOf(followed.source.slots('')),
    ]);
    expect(results).toEqual([expected, expected, expected]);
  });

  test('a statement that waits for a lock ends with that reason', async () => {
    const database = await postgres.database();
    await database.sql('CREATE TABLE items (id int PRIMARY KEY)');
    const other = await database.connect();
    await other.query('BEGIN; LOCK TABLE items');
    await using source = await openSource({ ...database.address(), silenceMs: 100 });
    expect(await failureOf(source.publish('p', [items]))).toMatchObject({
      message: `A statement has waited 100 ms for a lock on PostgreSQL at 127.0.0.1:${postgres.server.port}.`,
      isTransient: true,
    });
    await other.query('COMMIT');
  });
});

describe.skipIf(missingPostgres !== undefined)(`a PostgreSQL server with limits${reason}`, () => {
  let server: PostgresServer;
  let shared: ServerWithRoles;
  let certificates: Certificates | undefined;
  let place: string;

  beforeAll(async () => {
    certificates = (await hasOpenssl()) ? await makeCertificates('DNS:localhost') : undefined;
    server = await startPostgresServer({
      settings: {
        max_wal_senders: '1',
        max_replication_slots: '1',
        max_slot_wal_keep_size: '1MB',
        wal_keep_size: '0',
        min_wal_size: '32MB',
        max_wal_size: '32MB',
      },
      tls: certificates,
    });
    shared = await setUpServer(server);
    place = `PostgreSQL at 127.0.0.1:${server.port}`;
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  /** A database with the table `items`. Its slots must be dropped, because the server has only one. */
  async function databaseWithItems(): Promise<TestDatabase> {
    const database = await createDatabase(shared);
    await database.sql('CREATE TABLE items (id int PRIMARY KEY)');
    return database;
  }

  test('without a free slot or sender, the setting to raise is named', async () => {
    await using database = await databaseWithItems();
    const name = pipelineOf(database.address());
    await using followed = await follow(database.address(), [items]);
    const { source, slot } = followed;
    expect(await failureOf(source.createSlot('another', { isTemporary: false, tables: [] }))).toMatchObject({
      message: expect.stringContaining(`${place} has no free connection`) as string,
      hint: 'Raise max_wal_senders of the server, or end other replication connections.',
      isTransient: true,
    });
    expect(await failureOf(streamFrom(source, name, slot.position))).toMatchObject({ isTransient: true });
    await followed.stream[Symbol.asyncDispose]();
    expect(await failureOf(source.createSlot('another', { isTemporary: false, tables: [] }))).toMatchObject({
      message: `${place} has no free replication slot for "another".`,
      isTransient: false,
    });
  });

  test('a slot whose log the server has removed is lost', async () => {
    await using database = await databaseWithItems();
    const name = pipelineOf(database.address());
    await using source = await openSource(database.address());
    await source.publish(name, [items]);
    await using slot = await source.createSlot(name, { isTemporary: false, tables: [items] });
    await database.admin('CREATE TABLE noise AS SELECT i FROM generate_series(1, 100000) i');
    for (let i = 0; i < 4; i += 1)
      await database.admin('CREATE TABLE more (); DROP TABLE more; SELECT pg_switch_wal()');
    await database.admin('CHECKPOINT');
    const lost = 'the server removed the log that it needs, which exceeded max_slot_wal_keep_size';
    expect(await source.slots(name)).toMatchObject([{ name, isActive: false, lost }]);
    expect(await failureOf(streamFrom(source, name, slot.position))).toMatchObject({
      message: `The replication slot "${name}" of ${place} cannot be used any more: ${lost}.`,
      isTransient: false,
    });
  });

  test('certificates: which are trusted, and for which host names', async (context) => {
    context.skip(certificates === undefined, 'no openssl');
    await using database = await databaseWithItems();
    const address = database.address();
    const ca = certificates?.ca;
    const opened = async (options: Partial<SourceAddress>) => {
      await using source = await openSource({ ...address, ...options });
      return await source.slots('');
    };
    expect(await opened({ sslMode: 'require' })).toEqual([]);
    expect(await opened({ sslMode: 'verify-ca', certificates: ca })).toEqual([]);
    expect(await opened({ sslMode: 'verify-full', certificates: ca, host: 'localhost' })).toEqual([]);
    expect(await failureOf(opened({ sslMode: 'verify-full', certificates: ca }))).toMatchObject({
      message: `The certificate of ${place} is for another host name.`,
      isTransient: false,
    });
    expect(await failureOf(opened({ sslMode: 'verify-ca' }))).toMatchObject({
      message: expect.stringMatching(`^The certificate of ${place} is not trusted \\(`) as string,
      hint: 'Give the certificate of the authority that signed it, as PEM.',
    });
  });

  test('a stream over TLS has the changes, in whatever parts they arrive', async (context) => {
    context.skip(certificates === undefined, 'no openssl');
    await using database = await databaseWithItems();
    await using followed = await follow({ ...database.address(), sslMode: 'require' }, [items]);
    await database.sql('INSERT INTO items SELECT generate_series(1, 5000)');
    const [transaction] = await followed.take(1);
    expect(transaction?.changes).toHaveLength(5000);
  });

  test('a server that stops does not wait for a stream, which continues after the restart', async () => {
    await using database = await databaseWithItems();
    const address = database.address();
    let end = 0n;
    {
      await using followed = await follow(address, [items]);
      await database.sql('INSERT INTO items VALUES (1)');
      const [transaction] = await followed.take(1);
      end = transaction?.commit.end ?? 0n;
      followed.stream.acknowledge(end);
      const failure = failureOf(followed.take(1));
      await server.stop();
      expect((await failure).isTransient).toBe(true);
      expect((await failureOf(openSource(address))).message).toContain('refuses connections');
    }
    await server.start();
    // Version 15 may have forgotten the acknowledgement: only where the stream starts counts.
    await using source = await openSource(address);
    await using stream = await streamFrom(source, pipelineOf(address), end);
    const take = takeFrom(stream);
    await database.sql('INSERT INTO items VALUES (2)');
    const [transaction] = await take(1);
    expect(transaction?.changes.map(brief)).toEqual([['insert', ['2']]]);
    const failure = failureOf(take(1));
    await server.kill();
    expect((await failure).isTransient).toBe(true);
    await server.start();
  });

  test('a server whose wal_level is not logical', async () => {
    await server.stop();
    await server.start({ wal_level: 'replica' });
    await using database = await databaseWithItems();
    await using source = await openSource(database.address());
    const expected = {
      message: `${place} does not write what logical replication needs: its wal_level is not logical.`,
      hint: 'As a superuser, run: ALTER SYSTEM SET wal_level = logical; then restart the server.',
      isTransient: false,
    };
    expect(await fieldsOf(source.publish('p', [items]))).toEqual(expected);
    expect(await fieldsOf(source.createSlot('s', { isTemporary: true, tables: [] }))).toEqual(expected);
  });
});
