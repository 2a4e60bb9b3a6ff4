import type { SqlType } from '../../engine/index.ts';

/** A function from the SQL of a column to the SQL of its comparable value. */
export type Comparable = (column: string) => string;

type Group = 'exact' | 'float' | 'text' | 'boolean' | 'moment' | 'time' | 'bytes' | 'data';

const groups: Readonly<Record<SqlType['name'], Group>> = {
  NUMBER: 'exact',
  SMALLINT: 'exact',
  INTEGER: 'exact',
  BIGINT: 'exact',
  FLOAT: 'float',
  VARCHAR: 'text',
  NULL: 'text',
  BOOLEAN: 'boolean',
  DATE: 'moment',
  TIMESTAMP: 'moment',
  TIMESTAMP_TZ: 'moment',
  TIME: 'time',
  BINARY: 'bytes',
  VARIANT: 'data',
};

/**
 * The SQL (of DuckDB) with which two columns are compared. Values are equal by their meaning, as in
 * `compare-values.ts` for rows in memory. A null equals a null.
 */
export function comparedSql(
  before: SqlType,
  after: SqlType,
): readonly [before: Comparable, after: Comparable] {
  const [left, right] = [groups[before.name], groups[after.name]];
  if (left === right) return [withinGroup(before, after), withinGroup(after, before)];
  if (isOneOf('exact', 'float', left, right))
    return [(column) => `${column}::DOUBLE`, (column) => `${column}::DOUBLE`];
  if (isTextual(left) || isTextual(right)) return [asWritten(before, after), asWritten(after, before)];
  return [never('before'), never('after')];
}

function isOneOf(one: Group, other: Group, left: Group, right: Group): boolean {
  return (left === one && right === other) || (left === other && right === one);
}

function isTextual(group: Group): boolean {
  return group === 'text' || group === 'data';
}

const itself: Comparable = (column) => column;

function withinGroup(type: SqlType, other: SqlType): Comparable {
  switch (groups[type.name]) {
    case 'exact':
      if (scaleOf(type) !== scaleOf(other)) return exactText(type);
      return scaleOf(type) === 0 ? (column) => `${column}::DECIMAL(38,0)` : itself;
    case 'moment':
      return type.name === other.name ? itself : momentSql(type);
    case 'data':
      return dataText;
    case 'boolean':
    case 'bytes':
    case 'float':
    case 'text':
    case 'time':
      return itself;
  }
}

function scaleOf(type: SqlType): number {
  return type.name === 'NUMBER' ? type.scale : 0;
}

/** The digits without zeros at the end. */
function exactText(type: SqlType): Comparable {
  return scaleOf(type) === 0
    ? (column) => `${column}::VARCHAR`
    : (column) => `rtrim(rtrim(${column}::VARCHAR, '0'), '.')`;
}

/** A date is its midnight; a time with an offset is the time in UTC. */
function momentSql({ name }: SqlType): Comparable {
  return name === 'TIMESTAMP_TZ'
    ? (column) => `(${column} AT TIME ZONE 'UTC')`
    : (column) => `${column}::TIMESTAMP`;
}

/** The engine keeps semi-structured values in one form. A JSON null is the text null. */
const dataText: Comparable = (column) => `${column}::VARCHAR`;

/** Two different texts, unless there is no value: such types have no equal values. */
function never(side: string): Comparable {
  return (column) => `CASE WHEN ${column} IS NOT NULL THEN '${side}' END`;
}

/** Texts, and semi-structured values by the text of their scalars, as a value of the other type; others as they are written. */
function asWritten(type: SqlType, other: SqlType): Comparable {
  switch (groups[type.name]) {
    case 'text':
      return read(other, itself);
    case 'data':
      return read(other, (column) => `json_extract_string(${column}, '$')`);
    case 'exact':
      return (column) => `'n' || ${exactText(type)(column)}`;
    case 'float':
      // Zero has no sign.
      return (column) => `'n' || (${column} + 0.0)::VARCHAR`;
    case 'boolean':
      return (column) => `'b' || ${column}::VARCHAR`;
    case 'moment':
      return (column) => `'m' || ${momentSql(type)(column)}::VARCHAR`;
    case 'time':
      return (column) => `'m' || ${column}::VARCHAR`;
    case 'bytes':
      return (column) => `'x' || hex(${column})`;
  }
}

const numberForm = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?`;
const floatForm = String.raw`-?\d(?:\.\d+)?e[+-]\d{2,3}`;
const dateForm = String.raw`\d{4}-\d{2}-\d{2}`;
const timeForm = String.raw`\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?`;

/** A text in the form in which `asWritten` has a value of a type, if it spells one; otherwise a text that no value has. */
function read(type: SqlType, textOf: Comparable): Comparable {
  return (column) => {
    const text = textOf(column);
    const when = (form: string, value: string) =>
      `CASE WHEN regexp_full_match(${text}, '${form}') THEN ${value} ELSE 't' || ${text} END`;
    switch (groups[type.name]) {
      case 'exact':
        return when(
          numberForm,
          `'n' || CASE WHEN regexp_full_match(${text}, '-?0(?:\\.0+)?') THEN '0' WHEN contains(${text}, '.') THEN rtrim(rtrim(${text}, '0'), '.') ELSE ${text} END`,
        );
      case 'float':
        return when(
          `${numberForm}|${floatForm}|-?inf|NaN|-?Infinity`,
          `'n' || (TRY_CAST(${text} AS DOUBLE) + 0.0)::VARCHAR`,
        );
      case 'boolean':
        return when('true|false', `'b' || ${text}`);
      case 'moment':
        return when(
          `${dateForm}(?:[ T]${timeForm})?(?:Z|\\+00:00)?`,
          `coalesce('m' || TRY_CAST(${text} AS TIMESTAMP)::VARCHAR, 't' || ${text})`,
        );
      case 'time':
        return when(timeForm, `coalesce('m' || TRY_CAST(${text} AS TIME)::VARCHAR, 't' || ${text})`);
      case 'bytes':
        return when('(?:[0-9A-Fa-f]{2})*', `'x' || upper(${text})`);
      case 'text':
      case 'data':
        return `'t' || ${text}`;
    }
  };
}
