import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { serverEnvironment } from '../../../lib/redis/server/server-binary.ts';
import type { PostgresPrograms } from '../../../tools/setup/postgres-server.ts';

/** A PostgreSQL server of its own in a temporary folder, without a port. */
export interface Postgres extends AsyncDisposable {
  /**
   * Runs statements and a query in a transaction, which is then rolled back, and returns the rows as texts; null is
   * NULL. Rejects with a PostgresError.
   */
  rows(statements: string, query: string): Promise<readonly (readonly (string | null)[])[]>;
}

/** What the server refused. */
export class PostgresError extends Error {
  /** Whether the data is at fault: a mistake in the SQL has a state of another class. */
  get isOfData(): boolean {
    return /^ERROR: {2}(?:22|23|21|P0)/.test(this.message);
  }
}

/** Functions that the cases use. */
const functions = `
CREATE FUNCTION divided(a numeric, b numeric, scale int) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT (sign(a) * sign(b) * div(abs(a) * ('1e' || scale)::numeric * 2 + abs(b), abs(b) * 2) || 'e-' || scale)::numeric
$$;
CREATE FUNCTION items(doc jsonb) RETURNS SETOF jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT value FROM jsonb_array_elements(CASE WHEN jsonb_typeof(doc) = 'array' THEN doc ELSE '[]' END)
  UNION ALL SELECT value FROM jsonb_each(CASE WHEN jsonb_typeof(doc) = 'object' THEN doc ELSE '{}' END)
$$;
`;

export async function startPostgres(programs: PostgresPrograms): Promise<Postgres> {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace postgres '));
  const { bin, env } = placed(programs, folder);
  const as = { ...runAs(folder), env };
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
  const psql = spawn(path.join(bin, 'psql'), ['-XqAt', '-v', 'VERBOSITY=verbose', connection], {
    cwd: folder,
    env,
  });
  const talk = talkTo(psql);
  await talk(functions);
  return {
    rows: (statements, query) =>
      talk(`BEGIN;\n${statements}\n;COPY (${query}) TO STDOUT;\nROLLBACK;`).then((lines) =>
        lines.map((line) => line.split('\t').map(cellOf)),
      ),
    async [Symbol.asyncDispose]() {
      psql.stdin.end();
      await ended(psql);
      server.kill('SIGINT');
      await ended(server);
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
function talkTo(psql: ChildProcessWithoutNullStreams): (statements: string) => Promise<readonly string[]> {
  const out = linesOf(psql.stdout);
  const errors = linesOf(psql.stderr);
  let last: Promise<unknown> = Promise.resolve();
  return (statements) => {
    const turn = last.then(async () => {
      const mark = randomUUID();
      psql.stdin.write(`${statements}\n\\echo ${mark}\n\\warn ${mark}\n`);
      const [lines, problems] = await Promise.all([out(mark), errors(mark)]);
      if (problems.length > 0) throw new PostgresError(problems.join('\n'));
      return lines;
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
