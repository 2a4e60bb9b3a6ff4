import {
  type Column,
  describeType,
  quoteName,
  type Table,
  type TableName,
  type Value,
  type Warehouse,
  type WarehouseKind,
} from '../../../engine/index.ts';
import type { Cell, Change, Relation, RelationColumn, Tuple } from '../source/messages.ts';
import { targetType, type TargetType, type TemporalMapping } from './column-type.ts';
import { RowLog } from './row-log.ts';
import { SnapshotTable } from './snapshot-table.ts';
import { TargetFailure } from './target-failure.ts';
import { columnName, DELETED, foldName } from '../../../engine/index.ts';
import type { Adoption, TableWriter } from './table-writer.ts';

export interface CopyOptions {
  readonly warehouse: Warehouse;
  readonly kind: WarehouseKind;
  readonly temporal: TemporalMapping;
  /** The table as messages name it: `public.orders`. */
  readonly source: string;
  readonly target: TableName;
  /** The primary key of the source table; empty: it has none. */
  readonly primaryKey: readonly string[];
  /** Whether a deleted row stays, with a mark (COPY_TABLE_SOFT_DELETE). */
  readonly keepsDeleted: boolean;
}

/** The columns of the target's table for a relation, and how its cells are read. */
interface Shape {
  readonly columns: readonly Column[];
  readonly types: readonly TargetType[];
  /** The places of the key's cells. */
  readonly key: readonly number[];
}

/** Keeps a table of the target equal to the source table (COPY_TABLE and COPY_TABLE_SOFT_DELETE, spec §2.5). */
export class CopyWriter implements TableWriter {
  readonly #options: CopyOptions;
  readonly #snapshot: SnapshotTable;
  #shape: Shape | undefined;
  #log: RowLog | undefined;
  #waiting = 0;

  constructor(options: CopyOptions) {
    this.#options = options;
    this.#snapshot = new SnapshotTable(options.warehouse, options.target, options.kind);
    if (options.keepsDeleted && options.primaryKey.length === 0) {
      throw new TargetFailure(
        `The table ${options.source} has no primary key, so COPY_TABLE_SOFT_DELETE cannot mark its deleted rows.`,
        'Give it a primary key, or set `transformationType` to COPY_TABLE or CHANGE_LOG.',
      );
    }
  }

  get waiting(): number {
    return this.#waiting;
  }

  adoptionOf(relation: Relation): Adoption {
    const table = this.#find();
    if (table === undefined) return { kind: 'snapshot' };
    const { columns } = this.#shapeOf(relation);
    const written = (column: Column) => `${column.name} ${describeType(column.type, this.#options.kind)}`;
    if (columns.map(written).join() === table.columns.map(written).join()) return { kind: 'ready' };
    const existing = new Map(table.columns.map((column) => [column.name, written(column)]));
    const names = new Set(columns.map(({ name }) => name));
    const added = relation.columns.filter(({ name }) => !existing.has(foldName(name, this.#options.kind)));
    const isDropped = table.columns.some(({ name }) => !names.has(name));
    const isRetyped = columns.some(
      (column) => existing.has(column.name) && existing.get(column.name) !== written(column),
    );
    // A column that is renamed is dropped and added, and its rows have values.
    if (isRetyped || (added.length > 0 && isDropped)) return { kind: 'snapshot' };
    return { kind: 'reshaped', added: added.map(({ name }) => name) };
  }

  async adopt(relation: Relation): Promise<void> {
    const shape = this.#shapeOf(relation);
    if (this.adoptionOf(relation).kind === 'reshaped')
      await this.#options.warehouse.reshapeTable(this.#existing(), shape.columns);
    this.#use(shape);
  }

  add(change: Exclude<Change, { kind: 'truncate' }>): void {
    const log = this.#logged();
    this.#waiting += 1;
    if (change.kind === 'insert') log.insert(change.after);
    else if (change.kind === 'update') log.update(change.before, change.after);
    else log.delete(change.before);
  }

  truncate(): void {
    this.#waiting += 1;
    this.#logged().truncate();
  }

  async flush(): Promise<void> {
    if (this.#shape === undefined || this.#log === undefined || this.#log.isEmpty) return;
    const { warehouse } = this.#options;
    const { columns, key } = this.#shape;
    const table = this.#existing();
    const { isEmptied, ...changes } = this.#log.net();
    this.#use(this.#shape);
    if (isEmptied) {
      const mark = quoteName(columnName(DELETED, this.#options.kind));
      await warehouse.run(
        this.#options.keepsDeleted ? `UPDATE ${table.sql} SET ${mark} = true` : `DELETE FROM ${table.sql}`,
      );
    }
    const keyNames = key.map((place) => columns[place]?.name ?? '');
    await warehouse.changeRows(table, { columns, key: keyNames, ...changes });
  }

  async beginSnapshot({ columns }: Pick<Relation, 'columns'>): Promise<void> {
    const shape = this.#shapeOf({ columns, identity: 'full' });
    await this.#snapshot.discard();
    await this.#snapshot.begin(shape.columns);
    this.#use(shape);
  }

  addSnapshot(rows: readonly Tuple[]): Promise<void> {
    const { types } = this.#used();
    const { keepsDeleted } = this.#options;
    const values = rows.map((cells) => {
      const row = cells.map((cell, place) => readCell(types, cell, place));
      if (keepsDeleted) row.push(false);
      return row;
    });
    return this.#snapshot.add(values);
  }

  async endSnapshot(): Promise<void> {
    const { warehouse, target, keepsDeleted } = this.#options;
    const shape = this.#used();
    if (keepsDeleted) await this.#addDeleted(shape);
    const table = await warehouse.createTable(target, shape.columns, []);
    await warehouse.run(`INSERT INTO ${table.sql} SELECT * FROM ${this.#snapshot.sql}`);
    await this.#snapshot.end();
  }

  /** Adds the rows that the target has and the snapshot lacks: the source has deleted them. */
  async #addDeleted({ columns, key }: Shape): Promise<void> {
    const { warehouse, kind } = this.#options;
    const old = this.#find();
    if (old === undefined) return;
    const kept = new Map(old.columns.map((column) => [column.name, describeType(column.type, kind)]));
    const isKept = ({ name, type }: Column) => kept.get(name) === describeType(type, kind);
    const keyColumns = key.flatMap((place) => columns[place] ?? []);
    if (!keyColumns.every(isKept)) return;
    const mark = columnName(DELETED, kind);
    const values = columns.map((column) =>
      column.name === mark ? 'true' : isKept(column) ? `old.${quoteName(column.name)}` : 'NULL',
    );
    const isSame = keyColumns.map(({ name }) => `snapshot.${quoteName(name)} = old.${quoteName(name)}`);
    const rows = this.#snapshot.sql;
    await warehouse.run(
      `INSERT INTO ${rows} SELECT ${values.join(', ')} FROM ${old.sql} old
       WHERE NOT EXISTS (SELECT 1 FROM ${rows} snapshot WHERE ${isSame.join(' AND ')})`,
    );
  }

  #shapeOf({ columns, identity }: Pick<Relation, 'columns' | 'identity'>): Shape {
    const { kind, temporal, primaryKey, keepsDeleted, source } = this.#options;
    const types = columns.map((column) => targetType(column, { kind, temporal }));
    const shaped = columns.map(({ name }, place) => ({
      name: foldName(name, kind),
      type: types[place]?.type ?? { name: 'NULL' as const },
    }));
    const all = keepsDeleted
      ? [...shaped, { name: columnName(DELETED, kind), type: { name: 'BOOLEAN' as const } }]
      : shaped;
    refuseEqualNames(all, source);
    const isKey = ({ name, isKey: isIdentity }: RelationColumn) =>
      identity === 'default' || identity === 'index' ? isIdentity : primaryKey.includes(name);
    return { columns: all, types, key: columns.flatMap((column, place) => (isKey(column) ? [place] : [])) };
  }

  #use(shape: Shape): void {
    const { key, types } = shape;
    const deleted = this.#options.keepsDeleted ? { no: false, yes: true } : undefined;
    const read = (cell: Cell, place: number) => readCell(types, cell, place);
    this.#shape = shape;
    this.#log = new RowLog({ key, width: types.length, read, deleted });
    this.#waiting = 0;
  }

  #used(): Shape {
    if (this.#shape === undefined)
      throw new Error(`the columns of ${this.#options.source} are not known yet`);
    return this.#shape;
  }

  #logged(): RowLog {
    if (this.#log === undefined) throw new Error(`the columns of ${this.#options.source} are not known yet`);
    return this.#log;
  }

  #find(): Table | undefined {
    return this.#options.warehouse.catalog.find(this.#options.target);
  }

  #existing(): Table {
    const table = this.#find();
    if (table !== undefined) return table;
    const { schema, table: name } = this.#options.target;
    throw new TargetFailure(
      `The table ${schema}.${name} of the target does not exist any more.`,
      'Take a new snapshot of the pipeline: its page in the inspector has a button for it.',
    );
  }
}

function readCell(types: readonly TargetType[], cell: Cell, place: number): Value {
  return cell === null || cell === undefined ? null : (types[place]?.read(cell) ?? null);
}

function refuseEqualNames(columns: readonly Column[], source: string): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(name.toLowerCase())) {
      throw new TargetFailure(
        `The table ${source} would get two columns with the name ${name} in the target.`,
        'Rename one of them in the source, or capture the table with the transformationType CHANGE_LOG.',
      );
    }
    seen.add(name.toLowerCase());
  }
}
