/** A position in the log of a PostgreSQL server (an LSN): bytes since the beginning of the log. */
export type Position = bigint;

/** A value as PostgreSQL writes it. null: NULL; undefined: a large value that the change did not touch. */
export type Cell = string | null | undefined;

/** The cells of a row, in the order of the relation's columns. */
export type Tuple = readonly Cell[];

export interface RelationColumn {
  readonly name: string;
  /** The object id of its type. */
  readonly typeId: number;
  /** The modifier of its type, such as the length or the precision and scale; -1: none. */
  readonly typeModifier: number;
  /** Whether the replica identity contains it. */
  readonly isKey: boolean;
}

/** A table as it was at one point of the log. */
export interface Relation {
  readonly id: number;
  readonly schema: string;
  readonly table: string;
  /** The replica identity: what the log keeps of an old row. */
  readonly identity: 'default' | 'nothing' | 'full' | 'index';
  readonly columns: readonly RelationColumn[];
}

export interface Insert {
  readonly kind: 'insert';
  readonly relation: Relation;
  readonly after: Tuple;
}

export interface Update {
  readonly kind: 'update';
  readonly relation: Relation;
  /**
   * The old row: all of it where the replica identity is full, else its key, with null in the other columns. Undefined where
   * the key did not change.
   */
  readonly before: Tuple | undefined;
  readonly after: Tuple;
}

export interface Delete {
  readonly kind: 'delete';
  readonly relation: Relation;
  /** The old row: all of it where the replica identity is full, else its key, with null in the other columns. */
  readonly before: Tuple;
}

export interface Truncate {
  readonly kind: 'truncate';
  readonly relations: readonly Relation[];
}

/** A change of rows. */
export type Change = Insert | Update | Delete | Truncate;

export interface Begin {
  readonly kind: 'begin';
  readonly transactionId: number;
  /** Where the commit of the transaction begins in the log. */
  readonly position: Position;
  /** Microseconds since the Unix epoch. */
  readonly committedAt: bigint;
}

export interface Commit {
  readonly kind: 'commit';
  /** Where the commit begins in the log. */
  readonly position: Position;
  /** Where the log continues after the commit: what is acknowledged, and where a restart continues. */
  readonly end: Position;
  /** Microseconds since the Unix epoch. */
  readonly committedAt: bigint;
}

/** A message of the plugin `pgoutput`, protocol version 1. `other`: an origin, a type or a logical message. */
export type Message =
  | Begin
  | Commit
  | Change
  | { readonly kind: 'relation'; readonly relation: Relation }
  | { readonly kind: 'other' };
