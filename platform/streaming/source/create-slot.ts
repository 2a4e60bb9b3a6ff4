import type { Readable } from 'node:stream';
import { type Connection, connect } from './connection.ts';
import { createCopyDecoder } from './copy-text.ts';
import type { Position, Tuple } from './messages.ts';
import { positionOf } from './positions.ts';
import { quoteName, quoteTable, quoteText } from './quote.ts';
import { type NewSlot, type SourceAddress, SourceFailure, type SourceTable } from './source.ts';
import { sourceFailureOf } from './source-failure-of.ts';

/** What is needed to create a slot. */
export interface SlotRequest {
  readonly address: SourceAddress;
  /** The tables that will be copied. */
  readonly tables: readonly SourceTable[];
  readonly slot: string;
  readonly isTemporary: boolean;
  /** The version of the server, as `server_version_num` writes it. */
  readonly version: number;
  readonly signal: AbortSignal;
  /** Keeps a connection, so that it is closed with the source. */
  keep(connection: Connection): Connection;
}

/**
 * Creates a slot, and a second connection that sees exactly what the database was at the slot's first position. The server
 * waits with a new slot until the transactions that run at that time have ended.
 * Throws SourceFailure, or the reason of the signal.
 */
export async function createSlot(request: SlotRequest): Promise<NewSlot> {
  const { address, slot, tables, isTemporary, version, signal, keep } = request;
  const maker = keep(await connect(address, { isReplication: true }));
  let reader: Connection | undefined;
  let isCreated = false;
  const stop = (): void => void stopProcess(address, maker.processId).catch(() => {});
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    const kind = `${isTemporary ? 'TEMPORARY ' : ''}LOGICAL pgoutput`;
    const form = version >= 150_000 ? `(SNAPSHOT 'export'${failoverOption(request)})` : 'EXPORT_SNAPSHOT';
    const [row] = await maker.query(`CREATE_REPLICATION_SLOT ${quoteName(slot)} ${kind} ${form}`, {
      attempt: { slot },
      isPatient: true,
    });
    isCreated = true;
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
    const position = positionOf(row?.['consistent_point'] ?? '');
    reader = keep(await connect(address));
    // The snapshot exists until the first connection runs something else.
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await reader.query(`SET TRANSACTION SNAPSHOT ${quoteText(row?.['snapshot_name'] ?? '')}`);
    if (version >= 170_000) await reader.query('SET LOCAL transaction_timeout = 0');
    await lockTables(reader, tables);
    // A temporary slot ends with its connection. Otherwise the connection has done its work.
    if (!isTemporary) await maker[Symbol.asyncDispose]();
    return newSlot({ address, position, connections: [reader, maker] });
  } catch (error) {
    if (isCreated && !isTemporary && maker.isOpen)
      await maker.query(`DROP_REPLICATION_SLOT ${quoteName(slot)}`).catch(() => {});
    await Promise.all([maker[Symbol.asyncDispose](), reader?.[Symbol.asyncDispose]()]);
    throw signal.aborted ? signal.reason : sourceFailureOf(error, { address, slot });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A standby that synchronises slots has it after a failover. */
function failoverOption({ version, isTemporary }: SlotRequest): string {
  return version >= 170_000 && !isTemporary ? ', FAILOVER' : '';
}

/** The longest wait for a table that another transaction alters or truncates. */
const LOCK_WAIT = '30s';

/**
 * Keeps the tables as they are until they are copied. A table that was rewritten (by TRUNCATE, or by some ALTER TABLE) after the
 * snapshot was taken appears empty in it: that is a failure, and a later attempt takes another snapshot. The lock comes after the
 * slot, which waits for running transactions: they might wait for the lock.
 */
async function lockTables(reader: Connection, tables: readonly SourceTable[]): Promise<void> {
  if (tables.length === 0) return;
  await reader.query(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
  await reader.query(`LOCK TABLE ${tables.map(quoteTable).join(', ')} IN ACCESS SHARE MODE`, {
    attempt: { tables },
  });
  for (const table of tables) {
    // The function sees the table as it is now, the row of pg_class as it is in the snapshot.
    const rewritten = await reader.query(
      `SELECT c.relname FROM pg_class c WHERE pg_relation_filenode(c.oid) IS DISTINCT FROM nullif(c.relfilenode, 0)
       AND (c.oid = $1::regclass OR c.oid IN (SELECT relid FROM pg_partition_tree($1::regclass)))`,
      { values: [quoteTable(table)], attempt: { tables } },
    );
    if (rewritten.length === 0) continue;
    throw new SourceFailure(`The table ${quoteTable(table)} was rewritten while the snapshot began.`, {
      isTransient: true,
    });
  }
}

interface OpenSnapshot {
  readonly address: SourceAddress;
  readonly position: Position;
  readonly connections: readonly [reader: Connection, maker: Connection];
}

function newSlot({ address, position, connections }: OpenSnapshot): NewSlot {
  const [reader] = connections;
  return {
    position,
    copy: (table, columns, rows) => copyTable(reader, address, { table, columns, rows }),
    async [Symbol.asyncDispose]() {
      await Promise.all(connections.map((connection) => connection[Symbol.asyncDispose]()));
    },
  };
}

interface CopyRequest {
  readonly table: SourceTable;
  readonly columns: readonly string[];
  /** At most this many rows in a list. */
  readonly rows: number;
}

async function* copyTable(
  connection: Connection,
  address: SourceAddress,
  { table, columns, rows }: CopyRequest,
): AsyncGenerator<readonly Tuple[]> {
  const attempt = { tables: [table] };
  const [found] = await connection.query(
    `SELECT c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2`,
    { values: [table.schema, table.table], attempt },
  );
  // Tables that inherit from this one are tables of their own; partitions are not.
  const only = found?.['relkind'] === 'p' ? '' : 'ONLY ';
  const query = `SELECT ${columns.map(quoteName).join(', ')} FROM ${only}${quoteTable(table)}`;
  const { to } = await import('pg-copy-streams');
  if (connection.failure !== undefined) throw connection.failure;
  const stream: Readable = connection.client.query(to(`COPY (${query}) TO STDOUT`));
  const decoder = createCopyDecoder(columns.length);
  let isWhole = false;
  let list: Tuple[] = [];
  try {
    for await (const chunk of chunksOf(stream, connection)) {
      const decoded = decoder.decode(chunk);
      list = list.length === 0 ? decoded : list.concat(decoded);
      for (; list.length >= rows; list = list.slice(rows)) yield list.slice(0, rows);
    }
    if (!decoder.isComplete)
      throw new SourceFailure(`The copy of ${quoteTable(table)} ended inside of a row.`);
    isWhole = true;
  } catch (error) {
    throw connection.failure ?? sourceFailureOf(error, { address, ...attempt });
  } finally {
    // The rest of a copy that nobody reads: only the end of the connection stops it.
    if (!isWhole)
      connection.end(new SourceFailure(`The copy of ${quoteTable(table)} was not read to its end.`));
  }
  if (list.length > 0) yield list;
}

async function* chunksOf(stream: Readable, connection: Connection): AsyncGenerator<Buffer> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const { done, value } = await connection.answer(chunks.next(), { isPatient: true });
    if (done === true) return;
    yield value;
  }
}

/** A server that waits with a slot does not notice that the connection has ended, and would create the slot later. */
async function stopProcess(address: SourceAddress, processId: number): Promise<void> {
  await using connection = await connect(address);
  await connection.query('SELECT pg_terminate_backend($1)', { values: [String(processId)] });
}
