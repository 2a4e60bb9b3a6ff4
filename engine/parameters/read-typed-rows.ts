import { withoutBlanks } from '../core/written-number.ts';
import { upperAscii } from '../core/ascii-case.ts';
import type { YamlNode } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import type { SqlType, WarehouseKind } from '../core/sql-type.ts';
import { ParameterError } from './parameter-error.ts';
import type { ParameterReader } from './parameter-reader.ts';
import { readRows, type Row } from './read-rows.ts';

/** A row of a parameter that declares a column: `[name, type, size, precision, …]`. */
export interface TypedRow {
  readonly name: SourceText;
  readonly type: SqlType;
  /** The cells after `precision`. */
  readonly more: readonly SourceText[];
  readonly row: Row;
}

export function readTypedRows(
  node: YamlNode | undefined,
  reader: ParameterReader,
  kind: WarehouseKind,
): readonly TypedRow[] {
  return readRows(node, reader).map((row) => {
    const [name, type, size, precision, ...more] = row.cells;
    if (name === undefined || name.text === '') {
      const message = `a column in ${row.parameter} has no name. Write the name as the first cell of its row`;
      throw new ParameterError(message, row.place);
    }
    if (type === undefined) {
      const message = `the column "${name.text}" in ${row.parameter} has no type. Write the type as the second cell of its row`;
      throw new ParameterError(message, row.place);
    }
    return { name, type: readType({ type, size, precision }, kind), more, row };
  });
}

/**
 * The cells of a row that declare a type. An empty text and `0` mean that the value is not set. `precision` is the
 * number of decimal places.
 */
export interface TypeCells {
  readonly type: SourceText;
  readonly size?: SourceText | undefined;
  readonly precision?: SourceText | undefined;
}

const wholeNumbers = ['SMALLINT', 'INTEGER', 'BIGINT'] as const;

const names: Readonly<Record<string, SqlType['name']>> = {
  VARCHAR: 'VARCHAR',
  TEXT: 'VARCHAR',
  STRING: 'VARCHAR',
  NUMBER: 'NUMBER',
  NUMERIC: 'NUMBER',
  DECIMAL: 'NUMBER',
  SMALLINT: 'SMALLINT',
  INT: 'INTEGER',
  INTEGER: 'INTEGER',
  BIGINT: 'BIGINT',
  FLOAT: 'FLOAT',
  DOUBLE: 'FLOAT',
  'DOUBLE PRECISION': 'FLOAT',
  REAL: 'FLOAT',
  BOOLEAN: 'BOOLEAN',
  DATE: 'DATE',
  TIME: 'TIME',
  TIMESTAMP: 'TIMESTAMP',
  TIMESTAMP_NTZ: 'TIMESTAMP',
  DATETIME: 'TIMESTAMP',
  TIMESTAMP_LTZ: 'TIMESTAMP_TZ',
  TIMESTAMP_TZ: 'TIMESTAMP_TZ',
  TIMESTAMPTZ: 'TIMESTAMP_TZ',
  BINARY: 'BINARY',
  VARIANT: 'VARIANT',
  OBJECT: 'VARIANT',
  ARRAY: 'VARIANT',
  SUPER: 'VARIANT',
};

/** The type that the cells of a row declare. Throws Refusal for an unknown type. */
export function readType({ type, size, precision }: TypeCells, kind: WarehouseKind): SqlType {
  const written = upperAscii(withoutBlanks(type.text)).replaceAll(/ +/g, ' ');
  const name = Object.hasOwn(names, written) ? names[written] : undefined;
  if (name === undefined) {
    const hint = `use one of: ${[...new Set(Object.values(names))].join(', ')}`;
    throw new Refusal(`the type ${JSON.stringify(type.text)}`, type.placeOf(0), hint);
  }
  if (name === 'VARCHAR') return { name, length: sizeOf(size) };
  if (name === 'NUMBER') return numberType(size, precision, kind);
  if (wholeNumbers.some((whole) => whole === name) && kind === 'WAREHOUSE_ONE') {
    return { name: 'NUMBER', precision: 38, scale: 0 };
  }
  if (name === 'VARIANT' && kind === 'WAREHOUSE_ONE' && (written === 'ARRAY' || written === 'OBJECT'))
    return { name, shape: written };
  return written === 'TIMESTAMP_LTZ' ? { name: 'TIMESTAMP_TZ', isUtc: true, isLocal: true } : { name };
}

/** A number without a size has no decimal places. */
function numberType(
  size: SourceText | undefined,
  decimals: SourceText | undefined,
  kind: WarehouseKind,
): SqlType {
  const precision = sizeOf(size) ?? (kind === 'WAREHOUSE_ONE' ? 38 : 18);
  const scale = sizeOf(decimals) ?? 0;
  const wrong = precision > 38 ? size : scale > precision ? decimals : undefined;
  if (wrong !== undefined) {
    const limit = 'a NUMBER can have at most 38 digits, and not more decimal places than digits';
    throw new ParameterError(`NUMBER(${precision},${scale}) is not a type: ${limit}`, wrong.placeOf(0));
  }
  return { name: 'NUMBER', precision, scale };
}

function sizeOf(cell: SourceText | undefined): number | undefined {
  const written = withoutBlanks(cell?.text ?? '');
  if (cell === undefined || written === '' || /^0+$/.test(written)) return undefined;
  if (/^\d{1,8}$/.test(written)) return Number(written);
  throw new ParameterError(
    `the size of a column must be a whole number, not "${cell.text}"`,
    cell.placeOf(0),
  );
}
