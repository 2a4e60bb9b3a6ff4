import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import {
  type RowValue,
  type Table,
  type TableName,
  type Warehouse,
  type WarehouseKind,
  WrittenJson,
  writeJson,
} from '../../../engine/index.ts';
import type { Change, Position, Relation, RelationColumn, Tuple } from '../source/messages.ts';
import { targetType, type TemporalMapping } from './column-type.ts';
import { SnapshotTable } from './snapshot-table.ts';
import { changeLogColumns } from '../../../engine/index.ts';
import type { Adoption, ChangePlace, TableWriter } from './table-writer.ts';

export interface ChangeLogOptions {
  readonly warehouse: Warehouse;
  readonly kind: WarehouseKind;
  readonly temporal: TemporalMapping;
  readonly target: TableName;
}

/** Writes a row for each change of a source table (CHANGE_LOG, spec §2.5). */
export class ChangeLogWriter implements TableWriter {
  readonly #options: ChangeLogOptions;
  readonly #snapshot: SnapshotTable;
  #rows: (readonly RowValue[])[] = [];
  #inside: ReturnType<typeof rowReader> | undefined;
  #order = 0;
  #time: { readonly committedAt: bigint; readonly text: string } | undefined;

  constructor(options: ChangeLogOptions) {
    this.#options = options;
    this.#snapshot = new SnapshotTable(options.warehouse, options.target, options.kind);
  }

  get waiting(): number {
    return this.#rows.length;
  }

  adoptionOf(): Adoption {
    return { kind: this.#find() === undefined ? 'snapshot' : 'ready' };
  }

  // oxlint-disable-next-line require-await -- the interface has writers that wait
  async adopt(relation: Relation): Promise<void> {
    this.#inside = rowReader(relation.columns, this.#options, relation.identity === 'full');
  }

  add(change: Exclude<Change, { kind: 'truncate' }>, place: ChangePlace): void {
    const inside = this.#reader();
    const before =
      change.kind === 'insert' || change.before === undefined ? null : inside.before(change.before);
    const after = change.kind === 'delete' ? null : inside.after(change.after);
    this.#rows.push([change.kind, before, after, place.position, place.order, this.#timeOf(place)]);
  }

  truncate(place: ChangePlace): void {
    this.#rows.push(['truncate', null, null, place.position, place.order, this.#timeOf(place)]);
  }

  async flush(): Promise<void> {
    const table = this.#find();
    if (table === undefined || this.#rows.length === 0) return;
    const rows = this.#rows;
    this.#rows = [];
    await this.#options.warehouse.changeRows(table, {
      columns: table.columns,
      key: [],
      removed: [],
      added: rows,
    });
  }

  async beginSnapshot({ columns }: Pick<Relation, 'columns'>): Promise<void> {
    await this.#snapshot.discard();
    await this.#snapshot.begin(changeLogColumns(this.#options.kind));
    this.#inside = rowReader(columns, this.#options, true);
    this.#order = 0;
  }

  addSnapshot(rows: readonly Tuple[], position: Position): Promise<void> {
    const inside = this.#reader();
    const values = rows.map((cells) => {
      this.#order += 1;
      return ['snapshot', null, inside.after(cells), position, this.#order, null];
    });
    return this.#snapshot.add(values);
  }

  /** The log keeps its rows. Before the rows of a second snapshot, a row says that the table is emptied. */
  async endSnapshot(place: ChangePlace): Promise<void> {
    const { warehouse, target, kind } = this.#options;
    const existing = this.#find();
    const table = existing ?? (await warehouse.createTable(target, changeLogColumns(kind), []));
    if (existing !== undefined) {
      const row = ['truncate', null, null, place.position, 0, null];
      await warehouse.changeRows(table, { columns: table.columns, key: [], removed: [], added: [row] });
    }
    await warehouse.run(`INSERT INTO ${table.sql} SELECT * FROM ${this.#snapshot.sql}`);
    await this.#snapshot.end();
  }

  /** The same text for all changes of a transaction. */
  #timeOf({ committedAt }: ChangePlace): string {
    if (this.#time?.committedAt !== committedAt) this.#time = { committedAt, text: timestamp(committedAt) };
    return this.#time.text;
  }

  #reader(): ReturnType<typeof rowReader> {
    if (this.#inside === undefined) throw new Error('the columns of the table are not known yet');
    return this.#inside;
  }

  #find(): Table | undefined {
    return this.#options.warehouse.catalog.find(this.#options.target);
  }
}

function timestamp(microseconds: bigint): string {
  const ms = Number(microseconds / 1000n);
  const rest = String(microseconds % 1000n).padStart(3, '0');
  return `${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')}${rest}+00:00`;
}

/** Makes maps of tuples, with the column names of the source. An old row has its key only, unless it is complete. */
function rowReader(
  columns: readonly RelationColumn[],
  { kind, temporal }: Pick<ChangeLogOptions, 'kind' | 'temporal'>,
  isComplete: boolean,
) {
  // In the order of the names, in which a map is written.
  const fields = columns
    .map(({ name, isKey, ...column }, place) => ({
      name: writeJson(name),
      order: name,
      isInOldRow: isComplete || isKey,
      place,
      write: targetType(column, { kind, temporal }).writeInside,
    }))
    .toSorted((one, two) => compareTexts(one.order, two.order));
  const oldFields = fields.filter(({ isInOldRow }) => isInOldRow);
  const map = (tuple: Tuple, list: typeof fields): WrittenJson => {
    let members = '';
    for (const { name, place, write } of list) {
      const cell = tuple[place];
      if (cell === undefined) continue;
      members += `${members === '' ? '' : ','}${name}:${cell === null ? 'null' : write(cell)}`;
    }
    return new WrittenJson(`{${members}}`);
  };
  return {
    before: (tuple: Tuple) => map(tuple, oldFields),
    /** A value that the change left as it was is missing. */
    after: (tuple: Tuple) => map(tuple, fields),
  };
}
