import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { startPostgresServer } from '../../environment/postgres.ts';

/** A PostgreSQL server of its own, and a conversation with it. */
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

export async function startPostgres(): Promise<Postgres> {
  const server = await startPostgresServer();
  const { folder, port, bin, env } = server;
  const connection = `host='${folder}' port=${port} user=postgres dbname=postgres`;
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
      await server[Symbol.asyncDispose]();
    },
  };
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
    const seenLines: string[] = [];
    for (;;) {
      const next = await lines.next();
      if (next.done === true) throw new Error(`psql ended: ${seenLines.join('\n')}`);
      if (next.value === mark) return seenLines;
      seenLines.push(next.value);
    }
  };
}

/** A value of COPY's text format. */
function cellOf(text: string): string | null {
  if (text === '\\N') return null;
  const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };
  return text.replaceAll(/\\(.)/g, (_, letter: string) => letters[letter] ?? letter);
}
