import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { messageOf } from '../../lib/core/errors/message-of.ts';
import type { Seed } from '../../platform/index.ts';
import { hasDuckdb } from '../../engine/index.ts';
import { missingPostgres, startPostgresServer } from '../../test/environment/postgres.ts';

/** The PostgreSQL server from which the demo streams orders. */
export interface DemoSource extends AsyncDisposable {
  readonly port: number;
  /** What the seed of the platform says about it. */
  readonly seed: Required<Pick<Seed, 'secrets' | 'streamingSources'>>;
  /** Runs statements as the owner of the orders; returns the rows of the last. */
  sql(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Why the demo leaves out streaming: the end of a sentence. */
export interface LeftOut {
  readonly reason: string;
}

const role = 'shop';
const secretName = 'shop-database';
/** The reference of pipelines to the password (spec §2.5). */
export const passwordReference = { secretType: 'KEY_VAULT', secretLocation: 'demo', secretName };
export const sourceDatabase = { database: 'postgres', username: role };

/** Starts PostgreSQL, with a role that may replicate. Its password is in a file of the folder. */
export async function startDemoSource(folder: string): Promise<DemoSource | LeftOut> {
  if (!(await hasDuckdb()))
    return { reason: 'the optional package @duckdb/node-api, which has the tables, is not installed' };
  if (missingPostgres !== undefined) return { reason: `PostgreSQL is not available (${missingPostgres})` };
  const password = randomBytes(16).toString('hex');
  const file = path.join(folder, 'shop-password');
  await writeFile(file, password, { mode: 0o600 });
  try {
    await using starting = new AsyncDisposableStack();
    const server = starting.use(await startPostgresServer());
    const connect = async (user: string) => {
      const client = new pg.Client({ host: server.folder, port: server.port, user, database: 'postgres' });
      // The server ends with the demo.
      client.on('error', () => {});
      await client.connect();
      return client;
    };
    const admin = await connect('postgres');
    await admin.query(
      `CREATE ROLE ${role} LOGIN REPLICATION PASSWORD '${password}';
       GRANT CREATE ON DATABASE postgres TO ${role}; GRANT CREATE ON SCHEMA public TO ${role}`,
    );
    await admin.end();
    const client = await connect(role);
    starting.defer(() => client.end());
    const closing = starting.move();
    const { port } = server;
    return {
      port,
      seed: {
        secrets: [{ name: secretName, file }],
        streamingSources: [{ host: '127.0.0.1', port, secret: secretName }],
      },
      sql: async (text) => [await client.query<Record<string, unknown>>(text)].flat().at(-1)?.rows ?? [],
      [Symbol.asyncDispose]: () => closing.disposeAsync(),
    };
  } catch (error) {
    return { reason: `PostgreSQL did not start (${messageOf(error).trim()})` };
  }
}
