import type { ConnectionOptions } from 'node:tls';
import type { Client, ClientConfig } from 'pg';
import { type SourceAddress, SourceFailure } from './source.ts';
import { type Attempt, lockFailure, silentFailure, sourceFailureOf } from './source-failure-of.ts';

/** A row of an answer. All values are texts. */
export type Row = Readonly<Record<string, string | null>>;

/** A connection to the server. It ends itself if the server or the network ends it. */
export interface Connection extends AsyncDisposable {
  readonly client: Client;
  /** The server's process. */
  readonly processId: number;
  /** Whether it can still be used. */
  readonly isOpen: boolean;
  /** Why it ended, unless it was closed. */
  readonly failure: SourceFailure | undefined;
  /** Runs one statement. Throws SourceFailure. A connection that replicates takes no `values`. */
  query(text: string, options?: QueryOptions): Promise<readonly Row[]>;
  /**
   * Waits for an answer of the server. Without one within `silenceMs`, another connection checks what the server does: the
   * connection ends if the server does nothing for it, and also if it waits for a lock, unless `isPatient`.
   */
  answer<T>(work: Promise<T>, options?: { readonly isPatient?: boolean }): Promise<T>;
  /** Ends the connection at once, with what is running on it. */
  end(failure: SourceFailure): void;
}

export interface QueryOptions {
  readonly values?: readonly (string | readonly string[])[];
  readonly attempt?: Partial<Attempt>;
  readonly isPatient?: boolean;
  /** Ends the connection after this many milliseconds without an answer, and checks nothing. */
  readonly limitMs?: number;
}

/**
 * The form in which the server writes values. It is the same for the rows of a snapshot and for changes, because the process
 * that sends changes uses the settings of its session. A limit that a role or a database has must not end a long snapshot,
 * and a policy on rows must be an error rather than fewer rows. Without a search path, names have their schema.
 */
const session = [
  'datestyle=ISO',
  'intervalstyle=postgres',
  'extra_float_digits=3',
  'bytea_output=hex',
  'TimeZone=UTC',
  'client_encoding=UTF8',
  'search_path=',
  'row_security=off',
  'statement_timeout=0',
  'lock_timeout=0',
  'idle_in_transaction_session_timeout=0',
  'idle_session_timeout=0',
];

const asText = (value: string): string => value;

/** Opens a connection. Throws SourceFailure. */
export async function connect(
  address: SourceAddress,
  { isReplication = false }: { readonly isReplication?: boolean } = {},
): Promise<Connection> {
  const attempt: Attempt = { address, isReplication };
  // Only here, so that a platform without a streaming pipeline does not load it.
  const { default: pg } = await import('pg');
  const config: ClientConfig & { readonly replication?: string } = {
    host: address.host,
    port: address.port,
    database: address.database,
    user: address.username,
    // A function: the client would look for an empty password in files and variables of this machine.
    password: () => address.password,
    ssl: tlsOptions(address),
    options: session.map((setting) => `-c ${setting}`).join(' '),
    application_name: 'millrace',
    connectionTimeoutMillis: address.connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: Math.min(10_000, address.silenceMs),
    types: { getTypeParser: () => asText },
    ...(isReplication ? { replication: 'database' } : {}),
  };
  const client = new pg.Client(config);
  let failure: SourceFailure | undefined;
  let isOpen = true;
  // Without a listener, a lost connection would end the process.
  client.on('error', (error) => {
    isOpen = false;
    failure ??= sourceFailureOf(error, attempt);
  });
  client.on('end', () => (isOpen = false));
  try {
    await client.connect();
  } catch (error) {
    client.end().catch(() => {});
    socketOf(client).destroy();
    throw sourceFailureOf(error, attempt);
  }
  const end = (reason: SourceFailure) => {
    failure ??= reason;
    isOpen = false;
    socketOf(client).destroy();
  };
  const processId = (client as unknown as { readonly processID: number }).processID;
  async function answer<T>(work: Promise<T>, isPatient: boolean): Promise<T> {
    const { silenceMs } = address;
    let isDone = false;
    let timer: NodeJS.Timeout | undefined;
    const check = async (): Promise<void> => {
      const activity = await serverActivity(address, processId);
      if (isDone) return;
      if (activity === 'none') end(silentFailure(address, silenceMs));
      else if (activity === 'lock' && !isPatient) end(lockFailure(address, silenceMs));
      else watch();
    };
    const watch = (): void => {
      timer = setTimeout(() => void check(), silenceMs);
    };
    watch();
    try {
      return await work;
    } finally {
      isDone = true;
      clearTimeout(timer);
    }
  }
  let closing: Promise<void> | undefined;
  return {
    client,
    processId,
    get isOpen() {
      return isOpen;
    },
    get failure() {
      return failure;
    },
    end,
    answer: (work, { isPatient = false } = {}) => answer(work, isPatient),
    async query(text, { values, attempt: more, isPatient = false, limitMs } = {}) {
      if (failure !== undefined) throw failure;
      const limit =
        limitMs === undefined ? undefined : setTimeout(() => end(silentFailure(address, limitMs)), limitMs);
      try {
        const running = client.query<Row>(
          values === undefined ? text : { text, values: values as unknown[] },
        );
        const { rows } = await (limit === undefined ? answer(running, isPatient) : running);
        return rows;
      } catch (error) {
        throw failure ?? sourceFailureOf(error, { ...attempt, ...more });
      } finally {
        clearTimeout(limit);
      }
    },
    [Symbol.asyncDispose]() {
      closing ??= close(client, isOpen);
      isOpen = false;
      return closing;
    },
  };
}

/**
 * What a process of the server does for a connection. `none`: it has ended, or waits for this side, so that its answer was lost; also if
 * the server cannot be asked.
 */
async function serverActivity(address: SourceAddress, processId: number): Promise<'work' | 'lock' | 'none'> {
  try {
    await using connection = await connect(address);
    const [row] = await connection.query(
      'SELECT wait_event_type, wait_event FROM pg_stat_activity WHERE pid = $1',
      { values: [String(processId)], limitMs: address.silenceMs },
    );
    if (row === undefined || row['wait_event_type'] === 'Client') return 'none';
    return row['wait_event_type'] === 'Lock' ? 'lock' : 'work';
  } catch {
    return 'none';
  }
}

/** The current socket of a connection. After the start of TLS, it is another one. */
export function socketOf(client: Client): import('node:net').Socket {
  return client.connection.stream as import('node:net').Socket;
}

/** Says goodbye; a server that does not answer has a second. */
async function close(client: Client, isOpen: boolean): Promise<void> {
  if (!isOpen) {
    socketOf(client).destroy();
    return;
  }
  const timer = setTimeout(() => socketOf(client).destroy(), 1000);
  await client.end();
  clearTimeout(timer);
}

function tlsOptions({ sslMode, certificates }: SourceAddress): false | ConnectionOptions {
  const trusted = certificates === undefined ? {} : { ca: certificates };
  switch (sslMode) {
    case 'disable':
      return false;
    case 'require':
      return { rejectUnauthorized: false };
    case 'verify-ca':
      return { ...trusted, checkServerIdentity: () => undefined };
    case 'verify-full':
      return trusted;
  }
}
