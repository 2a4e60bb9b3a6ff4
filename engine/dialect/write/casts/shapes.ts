import type { SqlType } from '../../../core/sql-type.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { quoteText, type Typed, typeText } from '../sql/typed.ts';
import { toVariant } from './variant.ts';
import { sqlError, type Writing } from '../sql/writing.ts';

/** ARRAY or OBJECT of `WAREHOUSE_ONE`. */
type Shaped = Extract<SqlType, { readonly name: 'VARIANT' }>;

/** The value as the only item of a list. DuckDB's `json_array` would read a decimal as a DOUBLE. */
const WRAPPED = `CAST('[' || CAST(% AS VARCHAR) || ']' AS JSON)`;

/**
 * Casts a value to ARRAY or OBJECT. As with TO_ARRAY, a value that is not an array becomes the only item of an array.
 * A value that is not an object cannot become an OBJECT. A JSON null becomes NULL.
 */
export function castToShape(value: Typed, type: Shaped, at: number, writing: Writing): Typed {
  const from = value.type;
  if (from.name === 'NULL' || (from.name === 'VARIANT' && from.shape === type.shape))
    return { ...value, sql: `CAST(${value.sql} AS JSON)`, type };
  if (type.shape === 'OBJECT' && (from.name !== 'VARIANT' || from.shape === 'ARRAY'))
    throw sqlError(`${typeText(from)} cannot be cast to OBJECT`, at, writing);
  const variant = toVariant(value, at, writing);
  const other =
    type.shape === 'ARRAY' ? WRAPPED : failure('a value that is not an object cannot be cast to OBJECT');
  return shaped(variant, type, other, writing);
}

/**
 * Converts a value for a column of the type ARRAY or OBJECT. Only semi-structured data is converted, as by a cast.
 * The engine cannot tell an OBJECT from a VARIANT that contains an object. Therefore, an object for a column of the
 * type ARRAY is refused when the statement runs.
 */
export function storedShape(value: Typed, type: Shaped, at: number, writing: Writing): Typed {
  const from = value.type;
  const isKnown = from.name === 'VARIANT' && from.shape !== undefined && from.shape !== type.shape;
  if ((from.name !== 'VARIANT' && from.name !== 'NULL') || isKnown)
    throw sqlError(
      `the column has the type ${typeText(type)}, but the value has the type ${typeText(from)}`,
      at,
      writing,
    );
  if (type.shape !== 'ARRAY' || from.name === 'NULL' || from.shape === 'ARRAY')
    return castToShape(value, type, at, writing);
  const hint =
    'Millrace does not support an object in a column of the type ARRAY; cast the value: value::ARRAY';
  return shaped(
    value,
    type,
    `CASE WHEN json_type(%) = 'OBJECT' THEN ${failure(hint)} ELSE ${WRAPPED} END`,
    writing,
  );
}

/** `other`: what a value of another type becomes; `%` is the value. */
function shaped({ sql, type: from }: Typed, type: Shaped, other: string, writing: Writing): Typed {
  const hasFloat = from.name === 'VARIANT' && from.mayHaveFloat === true;
  return {
    sql: computedOnce(
      sql,
      writing,
      (json) =>
        `CASE WHEN ${json} IS NULL OR json_type(${json}) = 'NULL' THEN NULL WHEN json_type(${json}) = '${type.shape ?? ''}' THEN ${json} ELSE ${other.replaceAll('%', () => json)} END`,
    ),
    type: hasFloat ? { ...type, mayHaveFloat: true } : type,
  };
}

function failure(message: string): string {
  return `CAST(error(${quoteText(message)}) AS JSON)`;
}
