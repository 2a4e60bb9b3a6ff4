import type { Change, Position, Relation, Tuple } from '../source/messages.ts';

/** The place of a change in the source's log. */
export interface ChangePlace {
  /** Of the end of its transaction. */
  readonly position: Position;
  /** Counts the changes of the transaction from 1. */
  readonly order: number;
  /** Microseconds since the Unix epoch. */
  readonly committedAt: bigint;
}

/**
 * Whether a writer can write the changes of a relation as it is now, needs other columns first, or needs all rows
 * of the source again.
 */
export type Adoption =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'reshaped';
      /** The new columns, by their names in the source. */
      readonly added: readonly string[];
    }
  | { readonly kind: 'snapshot' };

/** Writes the changes of one source table into its table of the target. Every method runs in a transaction of the warehouse. */
export interface TableWriter {
  /** Whether the relation needs a change of the target's table before its changes can be written. */
  adoptionOf(relation: Relation): Adoption;
  /** Takes over the columns of a relation, whose changes follow. Not for one that needs a snapshot. */
  adopt(relation: Relation): Promise<void>;
  /** Takes a change; `flush` writes it. */
  add(change: Exclude<Change, { kind: 'truncate' }>, place: ChangePlace): void;
  truncate(place: ChangePlace): void;
  /** The number of changes since the last flush. */
  readonly waiting: number;
  /** @throws SqlError for a value that its column cannot hold */
  flush(): Promise<void>;
  /** Begins to write rows of a snapshot, into a table beside the target's, which is empty then. */
  beginSnapshot(relation: Pick<Relation, 'columns'>): Promise<void>;
  /** Writes rows of the snapshot. */
  addSnapshot(rows: readonly Tuple[], position: Position): Promise<void>;
  /** Replaces the rows of the target's table by the snapshot's rows. */
  endSnapshot(place: ChangePlace): Promise<void>;
}
