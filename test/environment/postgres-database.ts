import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { SourceAddress } from '../../platform/streaming/source/source.ts';
import { type PostgresServer, startPostgresServer } from './postgres.ts';

/** A row of an answer, with values as texts. */
export type TextRow = Readonly<Record<string, string | null>>;

/** Runs statements on one connection, which is made again after the server has ended it; returns the rows of the last. */
export type Session = (text: string) => Promise<readonly TextRow[]>;

/** A database of its own, which the role `owner` owns. */
export interface TestDatabase extends AsyncDisposable {
  readonly name: string;
  /** Its address for a role, over TCP. The owner may replicate. Roles have passwords of their own. */
  address(role?: TestRole): SourceAddress;
  /** Runs statements as the owner, one connection for all; returns the rows of the last. */
  readonly sql: Session;
  /** Runs statements as the superuser. */
  readonly admin: Session;
  /** Another connection of the owner, for transactions that run beside others. Closed with the database. */
  connect(): Promise<pg.Client>;
}

/**
 * `owner` owns the databases and may replicate; `reader` may replicate and owns nothing; `guest` may only log in; `stranger` is refused
 * by `pg_hba.conf`.
 */
export type TestRole = 'owner' | 'reader' | 'guest' | 'stranger';

const roles: Readonly<Record<TestRole, string>> = {
  owner: 'REPLICATION',
  reader: 'REPLICATION',
  guest: '',
  stranger: '',
};

export interface TestPostgres {
  readonly server: PostgresServer;
  /** Makes a database, which is dropped after the file's tests, with its slots. */
  database(): Promise<TestDatabase>;
}

/** A server with the roles. */
export interface ServerWithRoles {
  readonly server: PostgresServer;
  readonly passwords: Readonly<Record<TestRole, string>>;
  readonly admin: Session;
}

/** Kept for the process: test files that share it share a server, which ends with it. */
const key = Symbol.for('millrace.postgres');
const here = globalThis as { [key]?: Promise<ServerWithRoles> };

/**
 * One real PostgreSQL server for all test files of a process. Use it below `describe.skipIf(missingPostgres !== undefined)`.
 *
 *     const postgres = testPostgres();
 *     test('…', async () => { const database = await postgres.database(); });
 */
export function testPostgres(): TestPostgres {
  let shared: ServerWithRoles | undefined;
  const databases = new Set<TestDatabase>();
  beforeAll(async () => {
    shared = await (here[key] ??= startShared());
  });
  afterAll(async () => {
    for (const database of databases) await database[Symbol.asyncDispose]();
  });
  const running = (): ServerWithRoles => {
    if (shared === undefined) throw new Error('the test PostgreSQL runs only while tests do');
    return shared;
  };
  return {
    get server() {
      return running().server;
    },
    async database() {
      const { server, passwords, admin } = running();
      const database = await createDatabase({ server, passwords, admin });
      databases.add(database);
      return database;
    },
  };
}

async function startShared(): Promise<ServerWithRoles> {
  return setUpServer(await startPostgresServer({ access: ['host all stranger 127.0.0.1/32 reject'] }));
}

/** Creates the roles of a server. */
export async function setUpServer(server: PostgresServer): Promise<ServerWithRoles> {
  const { run: admin } = openSession(() => connectAs(server, 'postgres', 'postgres'));
  const passwords = Object.fromEntries(
    Object.keys(roles).map((role) => [role, `pass word of ${role} ${randomBytes(6).toString('hex')}`]),
  ) as Record<TestRole, string>;
  for (const [role, attributes] of Object.entries(roles))
    await admin(`CREATE ROLE ${role} LOGIN ${attributes} PASSWORD '${passwords[role as TestRole]}'`);
  return { server, passwords, admin };
}

async function connectAs(server: PostgresServer, user: string, database: string): Promise<pg.Client> {
  const client = new pg.Client({
    host: server.folder,
    port: server.port,
    user,
    database,
    password: () => '',
    types: { getTypeParser: () => (text: string) => text },
  });
  // A server that a test kills.
  client.on('error', () => {});
  await client.connect();
  // It does not keep the process of the tests.
  (client as unknown as { unref(): void }).unref();
  return client;
}

function openSession(connect: () => Promise<pg.Client>): { readonly run: Session; end(): Promise<void> } {
  let client: Promise<pg.Client> | undefined;
  const connected = async (): Promise<pg.Client> => {
    const opened = await connect();
    opened.once('end', () => (client = undefined));
    return opened;
  };
  return {
    async run(text) {
      const results = [await (await (client ??= connected())).query<TextRow>(text)].flat();
      return results.at(-1)?.rows ?? [];
    },
    async end() {
      await (await client)?.end();
    },
  };
}

let count = 0;

/** Makes a database on a server whose roles are set up. */
export async function createDatabase({ server, passwords, admin }: ServerWithRoles): Promise<TestDatabase> {
  count += 1;
  const name = `test_${String(count)}_${randomBytes(4).toString('hex')}`;
  await admin(`CREATE DATABASE ${name} OWNER owner`);
  const clients: pg.Client[] = [];
  const owner = openSession(() => connectAs(server, 'owner', name));
  const superuser = openSession(() => connectAs(server, 'postgres', name));
  let dropping: Promise<void> | undefined;
  async function drop(): Promise<void> {
    await Promise.all([owner.end(), superuser.end(), ...clients.map((client) => client.end())]);
    // A process of the server may need a moment to leave its slot.
    const slots = `FROM pg_replication_slots WHERE database = '${name}'`;
    await admin(`SELECT pg_terminate_backend(active_pid, 5000) ${slots} AND active`);
    await admin(`SELECT pg_drop_replication_slot(slot_name) ${slots} AND NOT temporary`);
    await admin(`DROP DATABASE ${name} WITH (FORCE)`);
  }
  return {
    name,
    address: (role = 'owner') => ({
      host: '127.0.0.1',
      port: server.port,
      database: name,
      username: role,
      password: passwords[role],
      sslMode: 'disable',
      connectMs: 10_000,
      silenceMs: 30_000,
    }),
    sql: owner.run,
    admin: superuser.run,
    async connect() {
      const client = await connectAs(server, 'owner', name);
      clients.push(client);
      return client;
    },
    [Symbol.asyncDispose]: () => (dropping ??= drop()),
  };
}
