import { ALL_COLUMNS, type NamedRelation } from '../../../core/dialect.ts';
import type { Typed } from '../sql/typed.ts';
import type { Visible, Writing } from '../sql/writing.ts';

interface Placed {
  readonly sql: string;
  readonly relations: readonly Visible[];
}

/** The columns of a table, as a map that records each name that is read. */
export class NotedColumns extends Map<string, Typed> {
  readonly #note: (name: string) => void;

  constructor(columns: Iterable<readonly [string, Typed]>, note: (name: string) => void) {
    super();
    this.#note = note;
    for (const [name, column] of columns) this.set(name, column);
  }

  override get(name: string): Typed | undefined {
    const column = super.get(name);
    if (column !== undefined) this.#note(name);
    return column;
  }

  /** Iterating reads all columns, as `*` does. */
  override [Symbol.iterator](): MapIterator<[string, Typed]> {
    this.#note(ALL_COLUMNS);
    return super[Symbol.iterator]();
  }

  override entries(): MapIterator<[string, Typed]> {
    return this[Symbol.iterator]();
  }

  override values(): MapIterator<Typed> {
    this.#note(ALL_COLUMNS);
    return super.values();
  }
}

/** Returns a table whose columns are recorded when they are read, if the context asks for that. */
export function noted(placed: Placed, table: NamedRelation, writing: Writing): Placed {
  const { noteColumn } = writing.session.context;
  if (noteColumn === undefined) return placed;
  const relations = placed.relations.map((relation) => {
    // An alias may give other names to the columns, in the same order.
    const stored = new Map(
      [...relation.columns.keys()].map((name, index) => [name, table.columns[index]?.name]),
    );
    const note = (name: string) => noteColumn(table.sql, stored.get(name) ?? name);
    return { ...relation, columns: new NotedColumns(relation.columns, note) };
  });
  return { ...placed, relations };
}
