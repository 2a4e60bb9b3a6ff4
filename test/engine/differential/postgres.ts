import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';

/** A PostgreSQL server of its own in a temporary folder, without a port. */
export interface Postgres extends AsyncDisposable {
  /** Runs statements, then a query, and returns its rows as texts; null is NULL. Rejects with the server's error. */
  rows(statements: string, query: string): Promise<readonly (readonly (string | null)[])[]>;
}

/** The folder of the server's programs; undefined where PostgreSQL is not installed on this machine. */
export function postgresFolder(): string | undefined {
  const installed = '/usr/lib/postgresql';
  const versions = existsSync(installed) ? readdirSync(installed) : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a));
  return newest
    .map((version) => path.join(installed, version, 'bin'))
    .find((bin) => existsSync(`${bin}/initdb`));
}

export async function startPostgres(bin: string): Promise<Postgres> {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace postgres '));
  const as = runAs(folder);
  const data = path.join(folder, 'data');
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--locale=C', '-E', 'UTF8'];
  const made = spawnSync(path.join(bin, 'initdb'), init, { cwd: folder, ...as });
  if (made.status !== 0) throw new Error(`initdb failed: ${String(made.stderr)}`);
  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    fsync: 'off',
    timezone: 'UTC',
    client_min_messages: 'warning',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...options], { cwd: folder, ...as });
  await ready(server);
  const connection = [`host=${folder.replaceAll(' ', '\\ ')}`, 'user=postgres', 'dbname=postgres'].join(' ');
  const psql = spawn(path.join(bin, 'psql'), ['-XqAt', '-v', 'VERBOSITY=terse', connection], { cwd: folder });
  const rows = talkTo(psql);
  return {
    rows,
    async [Symbol.asyncDispose]() {
      psql.stdin.end();
      await ended(psql);
      server.kill('SIGINT');
      await ended(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root: it runs as the user `nobody` there. */
function runAs(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const nobody = { uid: 65_534, gid: 65_534 };
  chownSync(folder, nobody.uid, nobody.gid);
  return nobody;
}

function ready(server: ChildProcessWithoutNullStreams): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    server.stderr.on('data', (part: Buffer) => {
      text += String(part);
      if (text.includes('ready to accept connections')) resolve();
    });
    server.once('exit', () => reject(new Error(`PostgreSQL ended: ${text}`)));
  });
}

function ended(child: ChildProcessWithoutNullStreams): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', resolve));
}

/** One conversation at a time: statements go in, and lines up to a mark come out on both streams. */
function talkTo(psql: ChildProcessWithoutNullStreams): Postgres['rows'] {
  const out = linesOf(psql.stdout);
  const errors = linesOf(psql.stderr);
  let last: Promise<unknown> = Promise.resolve();
  return (statements, query) => {
    const turn = last.then(async () => {
      const mark = randomUUID();
      psql.stdin.write(`${statements}\n;COPY (${query}) TO STDOUT;\n\\echo ${mark}\n\\warn ${mark}\n`);
      const [lines, problems] = await Promise.all([out(mark), errors(mark)]);
      if (problems.length > 0) throw new Error(problems.join('\n'));
      return lines.map((line) => line.split('\t').map(cellOf));
    });
    last = turn.catch(() => undefined);
    return turn;
  };
}

function linesOf(stream: NodeJS.ReadableStream): (mark: string) => Promise<readonly string[]> {
  const lines = createInterface({ input: stream })[Symbol.asyncIterator]();
  return async (mark) => {
    const found: string[] = [];
    for (;;) {
      const next = await lines.next();
      if (next.done === true) throw new Error(`psql ended: ${found.join('\n')}`);
      if (next.value === mark) return found;
      found.push(next.value);
    }
  };
}

/** A value of COPY's text format. */
function cellOf(text: string): string | null {
  if (text === '\\N') return null;
  const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };
  return text.replaceAll(/\\(.)/g, (_, letter: string) => letters[letter] ?? letter);
}
