import {
  type FileProblem,
  FileProblems,
  type Place,
  problemAt,
  readCsv,
  type WarehouseKind,
  type WrittenRow,
} from '../../engine/index.ts';
import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import { inTurns } from '../../lib/core/ports/long-work.ts';
import { textOf } from '../../lib/yaml/yaml-node.ts';
import { typeText } from './exported-type.ts';

export interface ExportedColumn {
  readonly name: string;
  /** As a file of schemas writes it; undefined if the engine does not know the type. */
  readonly type: string | undefined;
  /** The type as the warehouse names it. */
  readonly exportedType: string;
}

/** A table of an export, with its names as the warehouse stores them. */
export interface ExportedTable {
  /** Empty if the export does not have it. */
  readonly database: string;
  readonly schema: string;
  readonly table: string;
  /** In the order of the table. */
  readonly columns: readonly ExportedColumn[];
}

const required = ['table_schema', 'table_name', 'column_name', 'data_type'] as const;
const numeric = [
  'ordinal_position',
  'character_maximum_length',
  'numeric_precision',
  'numeric_scale',
] as const;
const optional = ['table_catalog', ...numeric] as const;
type Field = (typeof required)[number] | (typeof optional)[number];

/** How many problems are listed at most. */
const maxProblems = 20;

interface Found {
  readonly database: string;
  readonly schema: string;
  readonly table: string;
  readonly columns: Map<string, ExportedColumn & { readonly position: number; readonly row: WrittenRow }>;
}

/**
 * Reads the tables in a CSV export of `information_schema.columns`, sorted by name. The case of header names is
 * ignored, and so are other columns. Throws FileProblems with line and column.
 */
export async function readExport(
  text: string,
  file: string,
  kind: WarehouseKind,
): Promise<readonly ExportedTable[]> {
  const { columns: header, rows } = await inTurns(readCsv(text, file));
  const names = fieldNames(header, { file, line: 1, column: 1 });
  const fieldOf = (row: WrittenRow, field: Field): string => {
    const name = names.get(field);
    const value = name === undefined ? undefined : textOf(row.cells.get(name));
    return value === undefined || /^(?:null|\\N)$/i.test(value) ? '' : value;
  };
  const nameOf = (row: WrittenRow, field: Field): string => {
    const name = names.get(field);
    return (name === undefined ? undefined : textOf(row.cells.get(name))) ?? '';
  };
  const types = new Map<string, string | undefined>();
  const tables = new Map<string, Found>();
  const problems: FileProblem[] = [];
  for (const [index, row] of rows.entries()) {
    if (problems.length >= maxProblems) break;
    const [database, schema, table, name] = (
      ['table_catalog', 'table_schema', 'table_name', 'column_name'] as const
    ).map((field) => nameOf(row, field));
    const empty = required.find((field) => nameOf(row, field) === '');
    if (empty !== undefined) {
      problems.push({ ...row.placeOf(names.get(empty) ?? ''), message: `\`${empty}\` is empty` });
      continue;
    }
    const wrong = numeric.find((field) => !isWhole(fieldOf(row, field)));
    if (wrong !== undefined) {
      const message = `\`${wrong}\` is "${fieldOf(row, wrong)}", which is not a whole number`;
      problems.push({ ...row.placeOf(names.get(wrong) ?? ''), message });
      continue;
    }
    const [position, length, precision, scale] = numeric.map((field) => wholeNumber(fieldOf(row, field)));
    const key = JSON.stringify([database, schema, table]);
    const found = tables.get(key) ?? {
      database: database ?? '',
      schema: schema ?? '',
      table: table ?? '',
      columns: new Map<string, never>(),
    };
    tables.set(key, found);
    const other = found.columns.get(name ?? '');
    if (other !== undefined) {
      const message = `the table "${table}" has the column "${name}" in line ${other.row.place.line} already: export each table once`;
      problems.push({ ...row.placeOf(names.get('column_name') ?? ''), message });
      continue;
    }
    const exported = {
      type: fieldOf(row, 'data_type'),
      length: length ?? '',
      precision: precision ?? '',
      scale: scale ?? '',
    };
    const typeKey = JSON.stringify(exported);
    if (!types.has(typeKey)) types.set(typeKey, typeText(exported, kind));
    found.columns.set(name ?? '', {
      name: name ?? '',
      type: types.get(typeKey),
      exportedType: exported.type,
      position: position === undefined || position === '' ? index : Number(position),
      row,
    });
  }
  if (problems.length > 0) throw new FileProblems(problems);
  return [...tables.values()]
    .toSorted(
      (a, b) =>
        compareTexts(a.database, b.database) ||
        compareTexts(a.schema, b.schema) ||
        compareTexts(a.table, b.table),
    )
    .map(({ columns, ...table }) => ({
      ...table,
      columns: [...columns.values()]
        .toSorted((a, b) => a.position - b.position)
        .map(({ name, type, exportedType }) => ({ name, type, exportedType })),
    }));
}

/** The names of the fields as the header writes them. Throws FileProblems. */
function fieldNames(header: readonly string[], place: Place): ReadonlyMap<Field, string> {
  const names = new Map<Field, string>();
  for (const field of [...required, ...optional]) {
    const [name, other] = header.filter((each) => each.trim().toLowerCase() === field);
    if (other !== undefined) throw problemAt(place, `the header has \`${field}\` twice: remove one`);
    if (name !== undefined) names.set(field, name);
  }
  const missing = required.filter((field) => !names.has(field));
  if (missing.length === 0) return names;
  throw problemAt(
    place,
    `the header lacks ${missing.map((field) => `\`${field}\``).join(', ')}: give the CSV of \`SELECT * FROM information_schema.columns\`, with its header`,
  );
}

/** Whether a field has a whole number, or nothing. Data-frame tools write `12.0` for 12. */
function isWhole(text: string): boolean {
  return /^(?:\d+(?:\.0*)?)?$/.test(text);
}

/** The digits of a whole number; empty for none. */
function wholeNumber(text: string): string {
  return text.replace(/\..*$/, '').replace(/^0+(?=\d)/, '');
}
