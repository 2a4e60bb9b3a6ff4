import type { ConnectionOptions } from 'node:tls';
import type { Client, ClientConfig } from 'pg';
import { type SourceAddress, SourceFailure } from './source.ts';
import { type Attempt, silentFailure, sourceFailureOf } from './source-failure-of.ts';

/** A row of an answer, as texts. */
export type Row = Readonly<Record<string, string | null>>;

/** A connection to the server. Ends by itself if the server or the network ends it. */
export interface Connection extends AsyncDisposable {
  readonly client: Client;
  /** The server's process. */
  readonly processId: number;
  /** Whether it can still be used. */
  readonly isOpen: boolean;
  /** Why it ended, unless it was closed. */
  readonly failure: SourceFailure | undefined;
  /**
   * Runs one statement. Throws SourceFailure; one that gets no answer within `silenceMs` ends the connection, unless
   * `isPatient`. A connection that replicates takes no `values`.
   */
  query(text: string, options?: QueryOptions): Promise<readonly Row[]>;
  /** Ends the connection at once, with what is running on it. */
  end(failure: SourceFailure): void;
}

export interface QueryOptions {
  readonly values?: readonly (string | readonly string[])[];
  readonly attempt?: Partial<Attempt>;
  readonly isPatient?: boolean;
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

/** Connects. Throws SourceFailure. */
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
  let closing: Promise<void> | undefined;
  return {
    client,
    processId: (client as unknown as { readonly processID: number }).processID,
    get isOpen() {
      return isOpen;
    },
    get failure() {
      return failure;
    },
    end,
    async query(text, { values, attempt: more, isPatient = false } = {}) {
      if (failure !== undefined) throw failure;
      const timer = isPatient
        ? undefined
        : setTimeout(() => end(silentFailure(address, address.silenceMs)), address.silenceMs);
      try {
        const { rows } = await client.query<Row>(
          values === undefined ? text : { text, values: values as unknown[] },
        );
        return rows;
      } catch (error) {
        throw failure ?? sourceFailureOf(error, { ...attempt, ...more });
      } finally {
        clearTimeout(timer);
      }
    },
    [Symbol.asyncDispose]() {
      closing ??= close(client, isOpen);
      isOpen = false;
      return closing;
    },
  };
}

/** The current socket: with TLS it is another one than at first. */
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
