import type { Column } from '../core/relation.ts';
import type { SqlType, WarehouseKind } from '../core/sql-type.ts';
import { duckdbType, lengthSql, warehouseType } from '../duckdb/catalog/column-types.ts';
import { quoteName, quoteText } from '../duckdb/catalog/physical-name.ts';
import type { Warehouse } from '../duckdb/connection/warehouse.ts';
import { FUNCTIONS } from '../duckdb/values/functions.ts';

/** A column of Parquet files. */
export interface ParquetColumn {
  /** The column's name in the files. */
  readonly name: string;
  /** The column's type in DuckDB. */
  readonly written: string;
  /** The type of the warehouse that corresponds to `written`. */
  readonly type: SqlType;
}

/** A column of Parquet files, with the column of the table that its values are written to. */
export interface ImportedColumn {
  readonly source: ParquetColumn;
  readonly column: Column;
}

/** A column with values that its type cannot hold exactly. */
export interface Misfit {
  readonly column: Column;
  /** The number of rows that have such a value. */
  readonly rows: number;
}

/**
 * Reads the columns of several Parquet files that together contain the rows of one table. The warehouse must have
 * access to the files, and the names of the files must not contain patterns. Throws SqlError for a damaged file and
 * for files with different columns. The message of this error may contain values.
 */
export async function parquetColumns(
  files: readonly string[],
  warehouse: Warehouse,
  kind: WarehouseKind,
): Promise<readonly ParquetColumn[]> {
  const { rows } = await warehouse.query(
    `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${filesSql(files)})`,
    { maxRows: 10_000 },
  );
  return rows.flatMap(([name, written]) =>
    typeof name === 'string' && typeof written === 'string'
      ? [{ name, written, type: warehouseType(written, kind) }]
      : [],
  );
}

/**
 * Writes the rows of Parquet files into a new table, unless a value does not fit its column. Returns the number of
 * rows, and the columns with values that do not fit. Throws the same errors as `parquetColumns`.
 * @param table the name of the table in DuckDB's SQL
 */
export async function importParquet(
  table: string,
  { files, columns }: { readonly files: readonly string[]; readonly columns: readonly ImportedColumn[] },
  warehouse: Warehouse,
  kind: WarehouseKind,
): Promise<{ readonly rows: number; readonly misfits: readonly Misfit[] }> {
  const casts = columns.map((column) => ({ ...column, ...castOf(column, kind) }));
  const checked = casts.filter(({ fits }) => fits !== undefined);
  if (checked.length > 0) {
    const counts = checked.map(({ fits }) => `count(*) FILTER (NOT coalesce(${fits ?? ''}, false))`);
    const { rows } = await warehouse.query(`SELECT ${counts.join(', ')} FROM ${filesSql(files)}`, {
      maxRows: 1,
    });
    const misfits = checked.flatMap(({ column }, index): Misfit[] => {
      const count = Number(rows[0]?.[index] ?? 0);
      return count === 0 ? [] : [{ column, rows: count }];
    });
    if (misfits.length > 0) return { rows: 0, misfits };
  }
  const values = casts.map(({ column, value }) => `${value} AS ${quoteName(column.name)}`);
  const rows = await warehouse.run(
    `CREATE TABLE ${table} AS SELECT ${values.join(', ')} FROM ${filesSql(files)}`,
  );
  return { rows, misfits: [] };
}

function filesSql(files: readonly string[]): string {
  return `read_parquet([${files.map(quoteText).join(', ')}])`;
}

interface Cast {
  readonly value: string;
  /** Whether the type holds the value exactly; undefined if it holds all values of the column. */
  readonly fits: string | undefined;
}

const whole = /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$|^UINTEGER$/;
const number = /^(?:DECIMAL|FLOAT|DOUBLE)/;

function castOf({ source: { name, written }, column: { type } }: ImportedColumn, kind: WarehouseKind): Cast {
  const from = quoteName(name);
  const target = duckdbType(type);
  const value = `TRY_CAST(${from} AS ${target})`;
  const isNumeric = whole.test(written) || number.test(written);
  const checked = (condition: string): Cast => ({ value, fits: orNull(from, condition) });
  switch (type.name) {
    case 'VARIANT':
      return semiStructured(from, written);
    case 'VARCHAR':
    case 'NULL':
      return textCast(from, written, type, kind);
    case 'NUMBER':
    case 'SMALLINT':
    case 'INTEGER':
    case 'BIGINT':
      if (written === target || (/^INTEGER|^BIGINT|^SMALLINT/.test(written) && isWide(target)))
        return { value: `CAST(${from} AS ${target})`, fits: undefined };
      if (isNumeric) return checked(`${value} = ${from}`);
      // Another text would be rounded, or has an exponent.
      return checked(
        `${isText(written)} AND ${value} IS NOT NULL AND regexp_full_match(CAST(${from} AS VARCHAR), '[+-]?\\d+(\\.\\d{0,${type.name === 'NUMBER' ? type.scale : 0}}0*)?')`,
      );
    case 'FLOAT':
      if (written === 'FLOAT' || written === 'DOUBLE') return { value, fits: undefined };
      return checked(
        isNumeric
          ? `TRY_CAST(${value} AS ${written}) = ${from}`
          : `${isText(written)} AND ${value} IS NOT NULL`,
      );
    case 'DATE':
      return moment(from, { value, written, isSafe: written === 'DATE', isExact: `${value} = ${from}` });
    case 'TIME':
      return moment(from, { value, written, isSafe: written === 'TIME', isExact: 'false' });
    case 'TIMESTAMP':
    case 'TIMESTAMP_TZ':
      return moment(from, {
        value,
        written,
        isSafe: written === 'DATE' || /^TIMESTAMP(?:_S|_MS| WITH TIME ZONE)?$/.test(written),
        isExact: written === 'TIMESTAMP_NS' ? `epoch_ns(${from}) % 1000 = 0` : 'false',
      });
    case 'BOOLEAN':
      if (written === 'BOOLEAN') return { value, fits: undefined };
      return checked(`${isText(written)} AND ${value} IS NOT NULL`);
    case 'BINARY':
      return written === 'BLOB' ? { value, fits: undefined } : checked('false');
  }
}

function orNull(from: string, condition: string): string {
  return `${from} IS NULL OR (${condition})`;
}

function isText(written: string): string {
  return written === 'VARCHAR' ? 'true' : 'false';
}

/** Whether a type holds all whole numbers of 64 bits. */
function isWide(target: string): boolean {
  return target === 'BIGINT' || target === 'DECIMAL(38,0)';
}

function moment(
  from: string,
  {
    value,
    written,
    isSafe,
    isExact,
  }: { readonly value: string; readonly written: string; readonly isSafe: boolean; readonly isExact: string },
): Cast {
  if (isSafe) return { value, fits: undefined };
  const condition = written === 'VARCHAR' ? `${value} IS NOT NULL` : isExact;
  return { value, fits: orNull(from, /^TIMESTAMP|^VARCHAR/.test(written) ? condition : 'false') };
}

function textCast(from: string, written: string, type: SqlType, kind: WarehouseKind): Cast {
  // Files of older programs do not say that bytes are text.
  const text = written === 'BLOB' ? `TRY(decode(${from}))` : `CAST(${from} AS VARCHAR)`;
  const length = lengthSql(text, type, kind);
  if (written === 'BLOB')
    return { value: text, fits: orNull(from, `${text} IS NOT NULL AND ${length ?? 'true'}`) };
  return { value: text, fits: length === undefined ? undefined : orNull(from, length) };
}

/** Texts are read as JSON, as exports of semi-structured columns have them. */
function semiStructured(from: string, written: string): Cast {
  const text =
    written === 'VARCHAR' || written === 'JSON'
      ? `CAST(${from} AS VARCHAR)`
      : `CAST(to_json(${from}) AS VARCHAR)`;
  const json = `${FUNCTIONS.tryJson}(${text})`;
  return {
    value: `CASE WHEN ${from} IS NULL THEN NULL ELSE CAST(${json} AS JSON) END`,
    fits: orNull(from, written === 'BLOB' ? 'false' : `${json} IS NOT NULL`),
  };
}
