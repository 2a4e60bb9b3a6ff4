import { type Connection, connect } from './connection.ts';
import { createSlot } from './create-slot.ts';
import { describeTables } from './describe-tables.ts';
import { dropPublication, publish, publishedTables } from './publications.ts';
import { dropSlot, listSlots } from './slots.ts';
import { type Source, type SourceAddress, SourceFailure } from './source.ts';
import { serverName } from './source-failure-of.ts';
import { streamChanges } from './stream-changes.ts';

/** The oldest version whose changes are read, as `server_version_num` writes it. */
const oldestVersion = 140_000;

/**
 * Connects to a PostgreSQL server, version 14 or later. Throws SourceFailure if that fails, the server is too old, or it is a standby.
 * The end of the source ends everything that it opened.
 */
export async function openSource(address: SourceAddress): Promise<Source> {
  const open = new Set<Connection>();
  const creating = new Set<Promise<unknown>>();
  const ending = new AbortController();
  let isClosed = false;
  const keep = (connection: Connection): Connection => {
    open.add(connection);
    connection.client.once('end', () => open.delete(connection));
    return connection;
  };
  const opened = async (isReplication: boolean): Promise<Connection> => {
    const connection = await connect(address, { isReplication });
    if (!isClosed) return keep(connection);
    await connection[Symbol.asyncDispose]();
    throw closed(address);
  };

  let last: Promise<unknown> = Promise.resolve();
  let shared = await opened(false);
  /** Statements run one after another on one connection, which is opened again after the server has ended it. */
  const serially = <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const turn = last.then(async () => {
      if (isClosed) throw closed(address);
      if (!shared.isOpen) shared = await opened(false);
      return work(shared);
    });
    last = turn.catch(() => {});
    return turn;
  };
  const version = await serially((connection) => checkServer(connection, address)).catch(async (error) => {
    await shared[Symbol.asyncDispose]();
    throw error;
  });

  return {
    describe: (tables) => serially((connection) => describeTables(connection, address, tables)),
    publish: (publication, tables) =>
      serially((connection) => publish(connection, address, { publication, tables })),
    published: (publication) => serially((connection) => publishedTables(connection, publication)),
    dropPublication: (publication) => serially((connection) => dropPublication(connection, publication)),
    slots: (prefix) => serially((connection) => listSlots(connection, prefix)),
    dropSlot: (slot) => serially((connection) => dropSlot(connection, slot)),
    async createSlot(slot, { isTemporary, tables, signal }) {
      const ended = signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]);
      const created = createSlot({ address, slot, tables, isTemporary, version, signal: ended, keep });
      creating.add(created);
      try {
        return await created;
      } finally {
        creating.delete(created);
      }
    },
    async stream(options) {
      options.signal.throwIfAborted();
      const connection = await opened(true);
      try {
        return await streamChanges(connection, { address, ...options });
      } catch (error) {
        await connection[Symbol.asyncDispose]();
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      ending.abort(closed(address));
      await Promise.allSettled(creating);
      await Promise.all([...open].map((connection) => connection[Symbol.asyncDispose]()));
    },
  };
}

const closed = (address: SourceAddress): SourceFailure =>
  new SourceFailure(`The connection to ${serverName(address)} was closed.`);

async function checkServer(connection: Connection, address: SourceAddress): Promise<number> {
  const [row] = await connection.query(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS text, pg_is_in_recovery() AS standby`,
  );
  const version = Number(row?.['number']);
  if (!(version >= oldestVersion))
    throw new SourceFailure(
      `${serverName(address)} has the version ${row?.['text']}, and capture needs 14 or later.`,
      {
        hint: 'Upgrade the server.',
      },
    );
  if (row?.['standby'] === 't')
    throw new SourceFailure(`${serverName(address)} is a standby, from which changes cannot be captured.`, {
      hint: 'Use the address of the primary server.',
      // It becomes a primary at a failover.
      isTransient: true,
    });
  return version;
}
