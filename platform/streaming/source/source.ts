import type { Position, RelationColumn, Relation, Tuple } from './messages.ts';

/** A source table by its names in PostgreSQL. */
export interface SourceTable {
  readonly schema: string;
  readonly table: string;
}

/**
 * The address of a source, and the user who reads it. The password never appears in an error, a log or a process
 * argument.
 */
export interface SourceAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
  /** As `sslmode` of PostgreSQL's own clients: `disable`, `require` (encrypted), `verify-ca`, `verify-full`. */
  readonly sslMode: 'disable' | 'require' | 'verify-ca' | 'verify-full';
  /** The certificates that `verify-ca` and `verify-full` trust, as PEM. Default: the authorities that Node trusts. */
  readonly certificates?: string | undefined;
  /** Milliseconds to connect. */
  readonly connectMs: number;
  /** Milliseconds without any message from the server, after which the connection counts as dead. */
  readonly silenceMs: number;
}

/**
 * Thrown if a source cannot do something: one sentence for the user, and how to fix it. It contains no stack trace
 * and no secret.
 */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  readonly hint: string | undefined;
  /** Whether the same attempt may succeed later without a change by a person: a lost connection, a server that restarts. */
  readonly isTransient: boolean;

  constructor(
    message: string,
    {
      hint,
      isTransient = false,
      cause,
    }: { readonly hint?: string | undefined; readonly isTransient?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.hint = hint;
    this.isTransient = isTransient;
  }
}

/** A table of the source as the catalog of the server describes it now. */
export interface DescribedTable extends SourceTable {
  readonly id: number;
  readonly identity: Relation['identity'];
  /** `isKey`: in the primary key, or, without one, in the index of the replica identity. */
  readonly columns: readonly (RelationColumn & {
    /** As SQL writes it: `numeric(10,2)`, `timestamp with time zone`, `public.mood` (an enum). A domain has the type below it. */
    readonly typeText: string;
    readonly isNullable: boolean;
    /**
     * Whether rows from before the column was added may have a value in it that is not NULL: it was added with a default, or has
     * one now. The catalog does not keep the difference.
     */
    readonly hasMissingValue: boolean;
  })[];
}

/** A slot of the source server. */
export interface SlotState {
  readonly name: string;
  readonly isActive: boolean;
  /** Why the slot cannot be used any more, for example because the server removed the log that it needs; undefined: it can. */
  readonly lost: string | undefined;
  /** Bytes of log between what was acknowledged and the current end of the log. */
  readonly behindBytes: bigint;
  /** What was acknowledged. */
  readonly confirmed: Position;
}

/** A new slot, and the snapshot of the database at exactly its first position. */
export interface NewSlot extends AsyncDisposable {
  /** The stream continues here: every transaction that the snapshot does not contain. */
  readonly position: Position;
  /**
   * The rows of a table in the snapshot, in lists of at most `rows`. The cells are in the order of `columns`.
   * Reads no faster than the caller takes them.
   */
  copy(table: SourceTable, columns: readonly string[], rows: number): AsyncIterable<readonly Tuple[]>;
}

/** The changes of a slot, as they arrive. Ends with a SourceFailure, or when the signal aborts. */
export interface ChangeStream extends AsyncDisposable {
  /**
   * Lists of encoded messages of `pgoutput`, in order, as many as have arrived. Reads no faster than the caller takes them
   * (at most about 1 MB waits in memory). While nothing arrives, it answers the server's keep-alives by itself with the acknowledged position.
   */
  messages(): AsyncIterable<readonly Buffer[]>;
  /** Everything before the position is safe in the target: the server may remove it. Sent at once, at most every 100 ms. */
  acknowledge(position: Position): void;
  /** The end of the server's log, as the last message or keep-alive reported it. */
  readonly serverEnd: Position;
}

/** A PostgreSQL server from which a pipeline captures changes. Every method throws SourceFailure. */
export interface Source extends AsyncDisposable {
  /** Describes the tables; throws for a table that does not exist, is a view, or that the user may not read. */
  describe(tables: readonly SourceTable[]): Promise<readonly DescribedTable[]>;
  /** Creates the publication unless it exists, and makes it publish exactly these tables if the user may change it. */
  publish(publication: string, tables: readonly SourceTable[]): Promise<void>;
  /** The tables that a publication has. */
  published(publication: string): Promise<readonly SourceTable[]>;
  dropPublication(publication: string): Promise<void>;
  /** The slots whose names begin with the prefix. */
  slots(prefix: string): Promise<readonly SlotState[]>;
  /**
   * Creates a slot with a snapshot of the tables. `isTemporary`: it ends with the returned connection. The server waits for the transactions that
   * run at that time; with a signal, or the end of the source, the wait ends and no slot stays. Throws the signal's reason then.
   */
  createSlot(
    slot: string,
    options: {
      readonly isTemporary: boolean;
      readonly tables: readonly SourceTable[];
      readonly signal?: AbortSignal;
    },
  ): Promise<NewSlot>;
  /** Drops a slot; nothing happens if it does not exist. Waits, at most a few seconds, until a connection that just ended has left it. */
  dropSlot(slot: string): Promise<void>;
  /** Streams a slot's changes from a position. Throws the signal's reason if it aborts before the server has started. */
  stream(options: {
    readonly slot: string;
    readonly publication: string;
    readonly from: Position;
    readonly signal: AbortSignal;
  }): Promise<ChangeStream>;
}
