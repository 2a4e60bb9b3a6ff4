import { escapedName, lookOf, onlyLooksLike } from '../../lib/core/text/look-alike.ts';
import { parseDecimal } from '../../lib/core/values/decimal.ts';
import { itemsOfPart, mapInParts, type LongWork } from '../../lib/core/ports/long-work.ts';
import type { YamlNode, YamlScalar } from '../../lib/yaml/yaml-node.ts';
import { storedName } from '../components/find-column.ts';
import { type Place, Refusal, SqlError } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import { sourceText } from '../core/source-text.ts';
import { SeenNumbers } from '../core/number-type.ts';
import type { SqlType, WarehouseKind } from '../core/sql-type.ts';
import { readTypeText } from '../dialect/read-type-text.ts';
import { warehouseType } from '../duckdb/catalog/column-types.ts';
import type { Value } from '../duckdb/connection/warehouse.ts';
import { unkept } from '../duckdb/values/written-value.ts';
import { cellValue, changedNumber } from './cell-value.ts';
import { checkSpelling } from './check-spelling.ts';
import { problemAt } from './file-problem.ts';
import type { WrittenColumn, WrittenRow, WrittenRows, WrittenTable } from './written-rows.ts';

/** The columns and rows of a table, in the form in which the engine stores them. */
export interface TableRows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
}

/** What other files of a project say about the columns of a table. */
export interface KnownColumns {
  /** The columns that a file of schemas lists. */
  readonly schema?: readonly WrittenColumn[] | undefined;
  /** The columns of the component that creates the table. They have no effect if `schema` is set. */
  readonly created?: readonly Column[] | undefined;
}

/**
 * Determines the columns and rows of a table that a person wrote. The columns are first the declared columns in their
 * order, then the other columns that the rows contain. The type of a column comes from the first of these sources
 * that has one: `columns`, the schema, the component that creates the table, the file (Parquet only), the values.
 * Throws FileProblems.
 */
export function* tableOfRows(
  table: WrittenTable,
  kind: WarehouseKind,
  knownColumns: KnownColumns = {},
): LongWork<TableRows> {
  const { content } = table;
  yield* checkSpelling(table);
  const columns = yield* columnsOf(table, kind, knownColumns);
  const names = new Map<string, string>();
  for (const name of content.columns) {
    const stored = storedName(name, kind);
    const other = names.get(stored);
    if (other !== undefined) {
      const message = `the columns "${other}" and "${name}" are the same column in this kind of warehouse: use the same name in all rows`;
      throw problemAt(placeOfColumn(content, name, table.name.place), message);
    }
    names.set(stored, name);
  }
  const writtenColumns = columns.map(({ name, type }) => ({ name: names.get(name) ?? '', type }));
  const rows = yield* mapInParts(content.rows, (row) =>
    writtenColumns.map(({ name, type }) => {
      const cell = row.cells.get(name);
      const changed = type.name === 'VARIANT' ? changedNumber(cell) : undefined;
      if (changed === undefined) return cellValue(cell, type);
      throw problemAt(row.placeOf(name), unkept(changed.text, name));
    }),
  );
  return { columns, rows };
}

function* columnsOf(
  { name: { place }, columns: declared, content }: WrittenTable,
  kind: WarehouseKind,
  { schema, created }: KnownColumns,
): LongWork<readonly Column[]> {
  const columns = new ColumnList(kind);
  for (const column of [...declared, ...(schema ?? [])]) {
    if (columns.has(column.name, () => column.place)) continue;
    const stored = storedName(column.name, kind);
    const written = content.columns.find((name) => storedName(name, kind) === stored) ?? column.name;
    columns.append(
      column.name,
      readColumnType(column, kind) ?? (yield* typeOfContent(content, written, kind, place)),
    );
  }
  if (schema === undefined) {
    for (const { name, type } of created ?? [])
      if (!columns.has(name, () => place)) columns.append(name, type);
  }
  for (const name of content.columns) {
    const placeOfName = () => placeOfColumn(content, name, place);
    if (columns.has(name, placeOfName)) continue;
    columns.append(name, yield* typeOfContent(content, name, kind, place));
  }
  return columns.all;
}

/** Maps names to columns. If a name is declared twice, the first declaration counts. */
class ColumnList {
  readonly all: Column[] = [];
  readonly #kind: WarehouseKind;

  constructor(kind: WarehouseKind) {
    this.#kind = kind;
  }

  /**
   * Whether the column is known. Throws FileProblems if the name differs from the name of a known column only in
   * upper and lower case, or only in characters that look the same.
   */
  has(written: string, place: () => Place): boolean {
    const name = storedName(written, this.#kind);
    if (name === '') throw problemAt(place(), 'a column has no name: write one before the colon');
    const same = this.all.find((column) => column.name === name);
    if (same !== undefined) return true;
    const alike = this.all.find((column) => lookOf(column.name) === lookOf(name));
    if (alike === undefined) return false;
    const differ = onlyLooksLike(alike.name, name)
      ? `the columns "${escapedName(alike.name)}" and "${escapedName(name)}" look the same, but have different characters`
      : `the columns "${alike.name}" and "${name}" differ only in upper and lower case`;
    throw problemAt(place(), `${differ}: rename one of them`);
  }

  append(written: string, type: SqlType): void {
    this.all.push({ name: storedName(written, this.#kind), type });
  }
}

/** The text that is written for a type that the engine does not know. */
const unknownType = 'unknown';

/** The type that a column declares. Undefined for `unknown`. Throws FileProblems. */
export function readColumnType(
  { name, type, place }: WrittenColumn,
  kind: WarehouseKind,
): SqlType | undefined {
  if (type.toLowerCase() === unknownType) return undefined;
  try {
    return readTypeText(sourceText(type, place.file, place.line, place.column), kind);
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof SqlError)) throw error;
    const hint = error instanceof Refusal && error.hint !== undefined ? `; ${error.hint}` : '';
    throw problemAt(place, `"${type}" is not a type of the warehouse (column "${name}")${hint}`);
  }
}

function placeOfColumn({ rows }: WrittenRows, name: string, other: Place): Place {
  return rows.find((row) => row.cells.has(name))?.placeOf(name) ?? other;
}

function* typeOfContent(
  content: WrittenRows,
  name: string,
  kind: WarehouseKind,
  place: Place,
): LongWork<SqlType> {
  const type = content.types?.get(name);
  if (type === undefined) return yield* typeOfValues(content, name, kind);
  if (!/^(?:INTERVAL|BIT|TIME WITH TIME ZONE|TIMETZ)$/.test(type)) return warehouseType(type, kind);
  const message = `the column "${name}" of the file has the type ${type}, which the engine does not support: declare another type in \`columns\``;
  throw problemAt(placeOfColumn(content, name, place), message);
}

type Kind = 'number' | 'boolean' | 'text' | 'tree';

/** Whether a node is `.nan` or `.inf` of YAML. Only a FLOAT can have these values. */
function isNotFinite(node: YamlNode): boolean {
  return (
    node.kind === 'scalar' &&
    typeof node.value === 'number' &&
    !Number.isFinite(node.value) &&
    parseDecimal(node.text) === undefined
  );
}

/** The type that the values suggest. A column of dates must declare its type. */
function* typeOfValues(
  { rows, isUntyped }: WrittenRows,
  name: string,
  warehouse: WarehouseKind,
): LongWork<SqlType> {
  const kinds = new Map<Kind, WrittenRow>();
  const numbers = new SeenNumbers();
  let isFloat = false;
  for (const [index, row] of rows.entries()) {
    if (index % itemsOfPart === 0) yield;
    const node = row.cells.get(name);
    const kind = kindOfCell(node);
    if (node === undefined || kind === undefined) continue;
    if (!kinds.has(kind)) kinds.set(kind, row);
    isFloat ||= isNotFinite(node);
    if (kind === 'number' && node.kind === 'scalar') noteNumber(node, numbers);
  }
  const [kind, other] = kinds.keys();
  if (other !== undefined) {
    if (isUntyped) return { name: 'VARCHAR', length: undefined };
    const place = kinds.get(other)?.placeOf(name);
    const message = `the column "${name}" has values of several types: declare its type in \`columns\``;
    throw problemAt(place ?? { file: '', line: 1, column: 1 }, message);
  }
  if (kind === 'boolean') return { name: 'BOOLEAN' };
  if (kind === 'tree') return { name: 'VARIANT' };
  if (isFloat) return { name: 'FLOAT' };
  return kind === 'number' ? numbers.typeIn(warehouse) : { name: 'VARCHAR', length: undefined };
}

function noteNumber({ text, value }: YamlScalar, numbers: SeenNumbers): void {
  const number = parseDecimal(text) ?? parseDecimal(String(value));
  if (number !== undefined) numbers.add(number, scaleOf(text));
}

/** The type that a number or a boolean value suggests for its column. */
export function typeOfScalar(node: YamlScalar): SqlType {
  if (typeof node.value === 'boolean') return { name: 'BOOLEAN' };
  return isNotFinite(node) ? { name: 'FLOAT' } : { name: 'NUMBER', precision: 38, scale: scaleOf(node.text) };
}

/** The number of decimal places as written: `10.50` has two. */
function scaleOf(text: string): number {
  return /^[^.eE]*\.(\d+)$/.exec(text)?.[1]?.length ?? parseDecimal(text)?.scale ?? 0;
}

function kindOfCell(node: YamlNode | undefined): Kind | undefined {
  if (node === undefined) return undefined;
  if (node.kind !== 'scalar') return 'tree';
  if (node.value === null) return undefined;
  if (typeof node.value === 'string') return 'text';
  return typeof node.value === 'number' ? 'number' : 'boolean';
}
