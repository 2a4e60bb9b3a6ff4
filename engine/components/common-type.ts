import { type Place, SqlError } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import type { SqlType } from '../core/sql-type.ts';
import type { DialectContext, TranslatedExpression } from '../core/dialect.ts';
import { castValue, commonTypeOf } from '../dialect/convert-value.ts';
import { describeType } from '../duckdb/catalog/column-types.ts';
import { TEXT } from './select-list.ts';

/** Groups of types that have a common type. Types of different groups can only be combined as text. */
const related: readonly (readonly SqlType['name'][])[] = [
  ['NUMBER', 'SMALLINT', 'INTEGER', 'BIGINT', 'FLOAT'],
  ['DATE', 'TIMESTAMP', 'TIMESTAMP_TZ'],
  // ARRAY, OBJECT and VARIANT.
  ['VARIANT'],
];

/**
 * The type of an output column that combines columns of several inputs. Throws if the types differ and `isCast` is
 * false.
 */
export function commonColumnType(
  columns: readonly Column[],
  isCast: boolean,
  place: Place,
  dialect: DialectContext,
): SqlType {
  const types = columns.map(({ type }) => type).filter(({ name }) => name !== 'NULL');
  const [first = TEXT] = types;
  const other = types.find((type) => isOtherType(type, first));
  if (other === undefined) return commonTypeOf([first, ...types], place, dialect);
  if (!isCast) {
    const both = `${describeType(first)} and ${describeType(other)}`;
    const name = columns[0]?.name ?? '';
    throw new SqlError(
      `the column "${name}" has the types ${both} in the inputs, but castTypes is No; set castTypes to Yes, or convert one of the columns`,
      { place },
    );
  }
  const isRelated = related.some((names) => types.every(({ name }) => names.includes(name)));
  return isRelated ? commonTypeOf(types, place, dialect) : TEXT;
}

/** Whether the types differ in more than their sizes. ARRAY, OBJECT and VARIANT count as different types. */
function isOtherType(type: SqlType, first: SqlType): boolean {
  const shapeOf = (sqlType: SqlType) => (sqlType.name === 'VARIANT' ? sqlType.shape : undefined);
  return type.name !== first.name || shapeOf(type) !== shapeOf(first);
}

/** Converts a value to the common type of its column. */
export function castToCommon(
  value: TranslatedExpression,
  type: SqlType,
  place: Place,
  dialect: DialectContext,
): TranslatedExpression {
  // A text keeps its length: the type of the column is not shorter.
  if (value.type.name === type.name && type.name !== 'NUMBER') return { ...value, type };
  return castValue(value, type, place, dialect);
}
