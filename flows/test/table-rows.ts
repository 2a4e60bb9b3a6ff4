import {
  type Column,
  readTypeText,
  Refusal,
  SqlError,
  sourceText,
  type SqlType,
  storedName,
  type TableName,
  type Value,
  type WarehouseKind,
} from '../../engine/index.ts';
import type { YamlNode } from '../../lib/yaml/yaml-node.ts';
import { cellValue } from './cell-value.ts';
import { parseDecimal } from './decimal.ts';
import { type DeclaredTables, namedTable } from './declared-tables.ts';
import type { TestPlace, TestTable, WrittenColumn, WrittenRows } from './test-file.ts';
import { problemAt } from './test-problem.ts';
import type { TestProject } from './test-project.ts';

/** A table as the engine takes it. */
export interface TableRows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
}

/** Where types come from that the table itself does not name. */
export interface TypeSources {
  readonly schemas: ReadonlyMap<string, readonly WrittenColumn[]>;
  readonly declared: DeclaredTables;
}

/**
 * The columns and rows of a table of a test. Types come from `columns`, then the schemas, then a create-table component
 * of the project, then the values. Throws TestProblems.
 */
export function tableRows(table: TestTable, sources: TypeSources, project: TestProject): TableRows {
  const { content } = table;
  const columns = tableColumns(table, sources, project);
  const names = new Map(content.columns.map((name) => [storedName(name, project.kind), name]));
  const rows = content.rows.map((row) =>
    columns.map(({ name, type }) => cellValue(row.cells.get(names.get(name) ?? ''), type)),
  );
  return { columns, rows };
}

/** The declared columns in their order, then the others that the rows name. */
function tableColumns(
  { name: { text, place }, columns: own, content }: TestTable,
  { schemas, declared }: TypeSources,
  project: TestProject,
): readonly Column[] {
  const table = tableNamed(text, place, project);
  const columns = new ColumnList(project.kind);
  for (const column of own)
    columns.add(column.name, column.place, () => readColumnType(column, project.kind));
  const inSchemas = schemaOf(table, schemas, project);
  for (const column of inSchemas ?? []) {
    columns.add(column.name, column.place, () => readColumnType(column, project.kind));
  }
  if (inSchemas === undefined)
    for (const { name, type } of declared(table) ?? []) columns.add(name, place, () => type);
  for (const name of content.columns) {
    columns.add(name, placeOfColumn(content, name, place), () => typeOfValues(content, name));
  }
  return columns.all;
}

/** Columns by name; the first declaration of a name counts. */
class ColumnList {
  readonly all: Column[] = [];
  readonly #kind: WarehouseKind;

  constructor(kind: WarehouseKind) {
    this.#kind = kind;
  }

  add(written: string, place: TestPlace, type: () => SqlType): void {
    const name = storedName(written, this.#kind);
    const same = this.all.find((column) => column.name.toLowerCase() === name.toLowerCase());
    if (same === undefined) this.all.push({ name, type: type() });
    else if (same.name !== name) {
      throw problemAt(place, `the columns "${same.name}" and "${name}" differ in case only`);
    }
  }
}

/** The table that a name means. Throws TestProblems. */
export function tableNamed(text: string, place: TestPlace, project: TestProject): TableName {
  try {
    return namedTable(text, project);
  } catch (error) {
    if (error instanceof SqlError) throw problemAt(place, error.message);
    throw error;
  }
}

function schemaOf(
  { database, schema, table }: TableName,
  schemas: TypeSources['schemas'],
  project: TestProject,
): readonly WrittenColumn[] | undefined {
  for (const [name, columns] of schemas) {
    const [first] = columns;
    const other = tableNamed(name, first?.place ?? { file: '', line: 1, column: 1 }, project);
    if (other.table === table && other.schema === schema && other.database === database) return columns;
  }
  return undefined;
}

function readColumnType({ name, type, place }: WrittenColumn, kind: WarehouseKind): SqlType {
  try {
    return readTypeText(sourceText(type, place.file, place.line, place.column), kind);
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof SqlError)) throw error;
    throw problemAt(place, `"${type}" is not a type of the warehouse, for the column "${name}"`);
  }
}

function placeOfColumn({ rows }: WrittenRows, name: string, other: TestPlace): TestPlace {
  return rows.find((row) => row.cells.has(name))?.placeOf(name) ?? other;
}

type Kind = 'number' | 'boolean' | 'text' | 'tree';

/** The type that the values show: only a declared type makes a date. */
function typeOfValues({ rows, isUntyped }: WrittenRows, name: string): SqlType {
  const kinds = new Map<Kind, TestPlace>();
  let scale = 0;
  for (const row of rows) {
    const node = row.cells.get(name);
    const kind = kindOfCell(node);
    if (node === undefined || kind === undefined) continue;
    kinds.set(kind, kinds.get(kind) ?? row.placeOf(name));
    if (kind === 'number' && node.kind === 'scalar') scale = Math.max(scale, scaleOf(node.text));
  }
  const [kind, other] = kinds.keys();
  if (other !== undefined) {
    if (isUntyped) return { name: 'VARCHAR', length: undefined };
    const place = kinds.get(other);
    const message = `the column "${name}" has values of several types: declare its type in \`columns\``;
    throw problemAt(place ?? { file: '', line: 1, column: 1 }, message);
  }
  if (kind === 'boolean') return { name: 'BOOLEAN' };
  if (kind === 'tree') return { name: 'VARIANT' };
  return kind === 'number'
    ? { name: 'NUMBER', precision: 38, scale }
    : { name: 'VARCHAR', length: undefined };
}

/** As written: `10.50` has two decimal places. */
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
