import type { Column } from '../../../core/relation.ts';
import { UNDEFINED_JSON } from '../../../duckdb/values/undefined-element.ts';
import { refuseElement } from '../functions/xml.ts';
import { decimal, TEXT, VARIANT } from '../sql/typed.ts';

/** Which values FLATTEN turns into rows: the items of arrays, the members of objects, or both. */
export type FlattenMode = 'ARRAY' | 'OBJECT' | 'BOTH';

export const FLATTEN_MODES: readonly FlattenMode[] = ['ARRAY', 'OBJECT', 'BOTH'];

export const FLATTEN_COLUMNS: readonly Column[] = [
  { name: 'KEY', type: TEXT },
  { name: 'INDEX', type: decimal(38, 0) },
  { name: 'VALUE', type: VARIANT },
];

/** The options of a call of FLATTEN. With `isOuter`, a value without items gives one row of NULLs. */
export interface FlattenOptions {
  readonly isOuter: boolean;
  readonly mode: FlattenMode;
}

/**
 * The SQL of a relation for FROM that has the columns in `FLATTEN_COLUMNS`. `value` is DuckDB's SQL, and `fresh`
 * returns unused names. An SQL NULL in an array gives no row, like a missing element.
 */
export function flattenSql(
  value: string,
  { isOuter, mode }: FlattenOptions,
  fresh: (prefix: string) => string,
): string {
  const [v, w, e] = [fresh('v'), fresh('v'), fresh('e')];
  const isArray = `json_type(${v}.x) = 'ARRAY'`;
  const types = mode === 'BOTH' ? `'ARRAY', 'OBJECT'` : `'${mode}'`;
  const items = `LATERAL json_each(CASE WHEN json_type(${v}.x) IN (${types}) THEN ${v}.x END) AS ${e}`;
  const isThere = `CAST(${e}.value AS VARCHAR) <> '${UNDEFINED_JSON}'`;
  const joined = `${isOuter ? 'LEFT JOIN' : 'JOIN'} ${items} ON ${isThere}`;
  return `LATERAL (SELECT CASE WHEN ${isArray} THEN NULL ELSE ${e}.key END AS "KEY", CASE WHEN ${isArray} THEN CAST(${e}.key AS DECIMAL(38, 0)) END AS "INDEX", ${e}.value AS "VALUE", ${v}.x AS "THIS" FROM (SELECT ${refuseElement(`${w}.x`, 'FLATTEN')} AS x FROM (SELECT ${value} AS x) AS ${w}) AS ${v} ${joined})`;
}
