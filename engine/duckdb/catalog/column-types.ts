import type { Column } from '../../core/relation.ts';
import type { SqlType, WarehouseKind } from '../../core/sql-type.ts';
import { quoteName, quoteText } from './physical-name.ts';

/** The DuckDB type that stores the values of a type of the warehouse. */
export function duckdbType(type: SqlType): string {
  switch (type.name) {
    case 'NUMBER':
      return `DECIMAL(${type.precision},${type.scale})`;
    case 'FLOAT':
      return 'DOUBLE';
    case 'TIMESTAMP_TZ':
      return 'TIMESTAMP WITH TIME ZONE';
    case 'BINARY':
      return 'BLOB';
    case 'VARIANT':
      return 'JSON';
    // A column of bare NULLs is text in both warehouses.
    case 'NULL':
      return 'VARCHAR';
    case 'SMALLINT':
    case 'INTEGER':
    case 'BIGINT':
    case 'VARCHAR':
    case 'BOOLEAN':
    case 'DATE':
    case 'TIME':
    case 'TIMESTAMP':
      return type.name;
  }
}

const wholeTypes: Readonly<Record<string, 'SMALLINT' | 'INTEGER' | 'BIGINT'>> = {
  TINYINT: 'SMALLINT',
  UTINYINT: 'SMALLINT',
  SMALLINT: 'SMALLINT',
  USMALLINT: 'INTEGER',
  INTEGER: 'INTEGER',
  UINTEGER: 'BIGINT',
  BIGINT: 'BIGINT',
};

const otherTypes: Readonly<Record<string, SqlType['name']>> = {
  FLOAT: 'FLOAT',
  DOUBLE: 'FLOAT',
  BOOLEAN: 'BOOLEAN',
  DATE: 'DATE',
  TIME: 'TIME',
  TIMESTAMP: 'TIMESTAMP',
  TIMESTAMP_S: 'TIMESTAMP',
  TIMESTAMP_MS: 'TIMESTAMP',
  TIMESTAMP_NS: 'TIMESTAMP',
  'TIMESTAMP WITH TIME ZONE': 'TIMESTAMP_TZ',
  BLOB: 'BINARY',
  JSON: 'VARIANT',
  '"NULL"': 'NULL',
  NULL: 'NULL',
};

/**
 * The type of the warehouse that corresponds to a DuckDB type. `written` is the name of the DuckDB type as DuckDB's
 * catalog and results write it.
 */
export function warehouseType(written: string, kind: WarehouseKind): SqlType {
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(written) ?? [];
  if (precision !== undefined) return { name: 'NUMBER', precision: Number(precision), scale: Number(scale) };
  // Lists, structures and maps.
  if (/[\])]$/.test(written) && !written.startsWith('ENUM')) return { name: 'VARIANT' };
  const whole = wholeTypes[written];
  if (whole !== undefined && kind === 'WAREHOUSE_TWO') return { name: whole };
  if (whole !== undefined || /^(?:U?HUGEINT|UBIGINT|BIGNUM)$/.test(written)) {
    return { name: 'NUMBER', precision: 38, scale: 0 };
  }
  const name = otherTypes[written];
  return name === undefined ? { name: 'VARCHAR', length: undefined } : ({ name } as SqlType);
}

/**
 * The definition of a column for DuckDB's `CREATE TABLE`. DuckDB ignores the length of a text type, so the definition
 * contains a check that enforces the length.
 */
export function columnDefinition({ name, type }: Column, kind: WarehouseKind): string {
  const column = quoteName(name);
  const length = lengthSql(column, type, kind);
  return `${column} ${duckdbType(type)}${length === undefined ? '' : ` CHECK (${length})`}`;
}

/**
 * Whether a text type limits the length of its texts. The type of a column that has only empty texts does not limit
 * it, because the documentation of the warehouse names no length for such a column.
 */
export function hasLength(type: SqlType): type is SqlType & { readonly length: number } {
  return type.name === 'VARCHAR' && type.length !== undefined && type.length > 0;
}

/** DuckDB's SQL for the condition that a text fits into a text type. Undefined if the type has no length. */
export function lengthSql(value: string, type: SqlType, kind: WarehouseKind): string | undefined {
  if (!hasLength(type)) return undefined;
  const measured = kind === 'WAREHOUSE_TWO' ? `octet_length(encode(${value}))` : `length(${value})`;
  return `${measured} <= ${type.length}`;
}

const marker = 'millrace:';
const keyWords = 'PRIMARY KEY';
const identityWord = 'IDENTITY';

/**
 * The statements that store what DuckDB's types cannot express, the primary key and the identity column. They store
 * it in comments on the columns, because DuckDB drops, renames, rolls back and saves a comment together with its
 * column. Run the statements after the statement that creates the table.
 */
export function declareTypes(
  tableSql: string,
  columns: readonly Column[],
  primaryKey: readonly string[] = [],
  identity?: string,
): readonly string[] {
  return columns.flatMap(({ name, type }) => {
    const declared = declaredWord(type);
    const words = [
      ...(declared === undefined ? [] : [declared]),
      ...(name === identity ? [identityWord] : []),
      ...(primaryKey.includes(name) ? [keyWords] : []),
    ];
    if (words.length === 0) return [];
    return [
      `COMMENT ON COLUMN ${tableSql}.${quoteName(name)} IS ${quoteText(`${marker}${words.join(' ')}`)}`,
    ];
  });
}

/** What `declareTypes` notes about a type; undefined if DuckDB's type says everything. */
function declaredWord(type: SqlType): string | undefined {
  if (hasLength(type)) return `VARCHAR(${type.length})`;
  if (type.name === 'VARIANT' && (type.shape !== undefined || type.mayHaveFloat))
    return `${type.shape ?? type.name}${type.mayHaveFloat ? WITH_FLOAT : ''}`;
  if (type.name !== 'TIMESTAMP_TZ' || !type.isUtc) return undefined;
  return type.isLocal ? LOCAL : WITHOUT_OFFSET;
}

const WITH_FLOAT = '_WITH_FLOAT';
const semiStructured = /^(?:(?:VARIANT|(?<shape>ARRAY|OBJECT)))(?<float>_WITH_FLOAT)?$/;

/** The timestamps of a session: their offset is 0, because its time zone is UTC. */
const LOCAL = 'TIMESTAMP_LTZ';
/** A TIMESTAMP_TZ whose offsets are all 0. */
const WITHOUT_OFFSET = 'TIMESTAMP_TZ_UTC';

/**
 * Whether the comment of a column says that it is an identity column. The warehouse generates the values of such a
 * column and accepts no other values.
 */
export function isIdentity(comment: string | null): boolean {
  return comment !== null && comment.split(' ')[0] === `${marker}${identityWord}`;
}

/** Whether the comment of a column says that it belongs to the primary key of its table. */
export function isInPrimaryKey(comment: string | null): boolean {
  return comment?.startsWith(marker) === true && comment.endsWith(keyWords);
}

/** The type with which a column was declared, determined from its DuckDB type and its comment. */
export function declaredType(written: string, comment: string | null, kind: WarehouseKind): SqlType {
  const type = warehouseType(written, kind);
  const [, word] = /^millrace:(\w+)(?: PRIMARY KEY)?$/.exec(comment ?? '') ?? [];
  const semi = type.name === 'VARIANT' ? semiStructured.exec(word ?? '')?.groups : undefined;
  if (semi !== undefined)
    return {
      name: 'VARIANT',
      ...(semi['shape'] === undefined ? {} : { shape: semi['shape'] as 'ARRAY' | 'OBJECT' }),
      ...(semi['float'] === undefined ? {} : { mayHaveFloat: true }),
    };
  if (word === LOCAL && type.name === 'TIMESTAMP_TZ') return { ...type, isUtc: true, isLocal: true };
  if (word === WITHOUT_OFFSET && type.name === 'TIMESTAMP_TZ') return { ...type, isUtc: true };
  const [, length] = /^millrace:VARCHAR\((\d+)\)(?: PRIMARY KEY)?$/.exec(comment ?? '') ?? [];
  // The column may have another type since the comment was written.
  return length !== undefined && type.name === 'VARCHAR' ? { name: 'VARCHAR', length: Number(length) } : type;
}

/** The type that the catalog shows for a column that was created with the given type. */
export function storedType(type: SqlType, kind: WarehouseKind): SqlType {
  return ['VARCHAR', 'TIMESTAMP_TZ', 'VARIANT'].includes(type.name)
    ? type
    : warehouseType(duckdbType(type), kind);
}

/** The name of a type as the warehouse's SQL writes it. Without a kind of warehouse, as `WAREHOUSE_ONE` writes it. */
export function describeType(type: SqlType, kind: WarehouseKind = 'WAREHOUSE_ONE'): string {
  if (type.name === 'VARIANT') return kind === 'WAREHOUSE_TWO' ? 'SUPER' : (type.shape ?? 'VARIANT');
  if (type.name === 'TIMESTAMP_TZ' && type.isLocal) return LOCAL;
  if (type.name === 'NUMBER') {
    const name = kind === 'WAREHOUSE_TWO' ? 'DECIMAL' : 'NUMBER';
    return `${name}(${type.precision},${type.scale})`;
  }
  return hasLength(type) ? `VARCHAR(${type.length})` : type.name;
}
