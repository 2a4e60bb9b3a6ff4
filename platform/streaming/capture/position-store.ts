import { quoteText, type Warehouse } from '../../../engine/index.ts';
import type { Position } from '../source/messages.ts';

/** The position in the source's log up to which a target has received changes. */
export interface StoredPosition {
  /** The stream continues here; everything before is in the target. */
  readonly position: Position;
  /** By table: what was committed before this position is in the table already, by a snapshot of its own. */
  readonly snapshots: ReadonlyMap<string, Position>;
  /** Tables that need a new snapshot; until then, their changes are left out. */
  readonly waiting: ReadonlySet<string>;
}

/** A table that the catalog of the warehouse does not show. */
const TABLE = 'main.millrace_streaming';

/**
 * Stores positions in the warehouse itself, so that rows and position are written in one transaction and agree
 * after any crash.
 */
export class PositionStore {
  readonly #warehouse: Warehouse;
  readonly #pipeline: string;

  constructor(warehouse: Warehouse, pipelineId: string) {
    this.#warehouse = warehouse;
    this.#pipeline = quoteText(pipelineId);
  }

  /** Creates the store in a new warehouse. Not in a transaction that changes rows. */
  async open(): Promise<void> {
    await this.#warehouse.run(`CREATE TABLE IF NOT EXISTS ${TABLE} (pipeline VARCHAR, state VARCHAR)`);
  }

  /** Undefined before the first snapshot is complete. */
  async read(): Promise<StoredPosition | undefined> {
    const { rows } = await this.#warehouse.query(
      `SELECT state FROM ${TABLE} WHERE pipeline = ${this.#pipeline}`,
      {
        maxRows: 1,
      },
    );
    const text = rows[0]?.[0];
    return typeof text === 'string' ? parseState(text) : undefined;
  }

  async save({ position, snapshots, waiting }: StoredPosition): Promise<void> {
    const state: WrittenState = {
      position: String(position),
      snapshots: [...snapshots].map(([table, at]) => [table, String(at)]),
      waiting: [...waiting],
    };
    await this.forget();
    await this.#warehouse.run(
      `INSERT INTO ${TABLE} VALUES (${this.#pipeline}, ${quoteText(JSON.stringify(state))})`,
    );
  }

  async forget(): Promise<void> {
    await this.#warehouse.run(`DELETE FROM ${TABLE} WHERE pipeline = ${this.#pipeline}`);
  }
}

interface WrittenState {
  readonly position: string;
  readonly snapshots: readonly (readonly [string, string])[];
  readonly waiting: readonly string[];
}

function parseState(text: string): StoredPosition {
  const { position, snapshots, waiting } = JSON.parse(text) as WrittenState;
  return {
    position: BigInt(position),
    snapshots: new Map(snapshots.map(([table, at]) => [table, BigInt(at)])),
    waiting: new Set(waiting),
  };
}
