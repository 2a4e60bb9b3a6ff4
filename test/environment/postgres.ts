import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { serverEnvironment } from '../../lib/redis/server/server-binary.ts';
import { findPostgres, type PostgresPrograms, search } from '../../tools/setup/postgres-server.ts';
import { endServerWithParent } from './processes/end-with-parent.ts';
import { freePorts } from './redis-group.ts';

/** A PostgreSQL server of its own in a temporary folder, on a loopback port. Ends with this process. */
export interface PostgresServer extends AsyncDisposable {
  /** The folder of its socket, for connections as any role without a password, and of its files. */
  readonly folder: string;
  /** On 127.0.0.1, where roles need their password. */
  readonly port: number;
  /** Where `psql` is, and the environment that it needs. */
  readonly bin: string;
  readonly env: NodeJS.ProcessEnv;
  /** Stops it as a person does: connections end, and those that replicate get what they do not have. */
  stop(): Promise<void>;
  /** Ends it at once, as a crash. */
  kill(): Promise<void>;
  /** Starts it again after `stop` or `kill`, on the same port. The settings count for this start only. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
}

export interface ServerSettings {
  /** Lines for `postgresql.conf`, by their names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Lines for `pg_hba.conf` before those that let each role in with its password. */
  readonly access?: readonly string[];
  /** A certificate and its key, as PEM: the server offers TLS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

/** The major version of the server that tests use; undefined without one. */
export function postgresVersion(): number | undefined {
  const found = findPostgres(search);
  if (typeof found === 'string') return undefined;
  const env = serverEnvironment(found.libraries, process.env['PATH']);
  const { stdout } = spawnSync(path.join(found.folder, 'postgres'), ['--version'], { env, encoding: 'utf8' });
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
}

/** Why there is no PostgreSQL; undefined if there is one. The set-up of `npm test` and `npm run demo` provides it if it can. */
export const missingPostgres: string | undefined = reasonOf(findPostgres(search));

function reasonOf(found: PostgresPrograms | string): string | undefined {
  return typeof found === 'string' ? found : undefined;
}

const baseSettings = {
  fsync: 'off',
  timezone: 'UTC',
  client_min_messages: 'warning',
  wal_level: 'logical',
  max_wal_senders: '20',
  max_replication_slots: '20',
  password_encryption: 'scram-sha-256',
  autovacuum: 'off',
};

export async function startPostgresServer({
  settings = {},
  access = [],
  tls,
}: ServerSettings = {}): Promise<PostgresServer> {
  const programs = findPostgres(search);
  if (typeof programs === 'string') throw new Error(`no PostgreSQL: ${programs}`);
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace postgres '));
  const { bin, env } = placed(programs, folder);
  const user = userOf(folder);
  const as = { ...user, env, cwd: folder };
  const data = path.join(folder, 'data');
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--locale=C', '-E', 'UTF8'];
  const making = spawn(path.join(bin, 'initdb'), init, { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
  const [problem, [code]] = await Promise.all([text(making.stderr), once(making, 'close')]);
  if (code !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`initdb failed: ${problem}`);
  }
  const [port = 0] = await freePorts(1);
  const lines = Object.entries({
    ...baseSettings,
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    ...settings,
  }).map(([name, value]) => `${name} = '${value}'\n`);
  if (tls !== undefined) {
    for (const [name, pem] of Object.entries({ 'server.crt': tls.cert, 'server.key': tls.key })) {
      const file = path.join(data, name);
      writeFileSync(file, pem, { mode: 0o600 });
      if (user.uid !== undefined) chownSync(file, user.uid, user.gid ?? user.uid);
    }
    lines.push('ssl = on\n');
  }
  appendFileSync(path.join(data, 'postgresql.conf'), lines.join(''));
  writeFileSync(
    path.join(data, 'pg_hba.conf'),
    ['local all all trust', ...access, 'host all all 127.0.0.1/32 scram-sha-256', ''].join('\n'),
  );
  let server: ChildProcess | undefined;

  async function start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const options = Object.entries(more).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = endServerWithParent(
      spawn(path.join(bin, 'postgres'), ['-D', data, ...options], {
        ...as,
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
      folder,
    );
    server = child;
    await ready(child);
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = server;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  await start();
  return {
    folder,
    port,
    bin,
    env,
    start,
    stop: () => end('SIGINT'),
    kill: () => end('SIGQUIT'),
    async [Symbol.asyncDispose]() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Where the programs are, and their environment. The user `nobody` may have no access to a clone: it gets a copy. */
function placed(
  { folder: bin, libraries, home }: PostgresPrograms,
  folder: string,
): { readonly bin: string; readonly env: NodeJS.ProcessEnv } {
  const copy = path.join(folder, 'server');
  const isCopied = home !== undefined && process.getuid?.() === 0;
  if (isCopied) cpSync(home, copy, { recursive: true, verbatimSymlinks: true });
  const at = (place: string) => (isCopied ? path.join(copy, path.relative(home, place)) : place);
  return { bin: at(bin), env: serverEnvironment(libraries.map(at), process.env['PATH']) };
}

/** PostgreSQL refuses to run as root: it runs as the user `nobody` there. */
export function userOf(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const nobody = { uid: 65_534, gid: 65_534 };
  chownSync(folder, nobody.uid, nobody.gid);
  return nobody;
}

/** Resolves when the server accepts connections. What it writes later is read, so that it never waits for this process. */
export function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    let isReady = false;
    server.stderr?.on('data', (part: Buffer) => {
      if (isReady) return;
      output += String(part);
      if (!/ready to accept (?:read-only )?connections/.test(output)) return;
      isReady = true;
      resolve();
    });
    server.once('exit', () => reject(new Error(`PostgreSQL ended: ${output}`)));
  });
}
