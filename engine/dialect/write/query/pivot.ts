import type { Column } from '../../../core/relation.ts';
import type { NamedRelation } from '../../../core/dialect.ts';
import type { Call, Expression, Name, Pivot, Unpivot } from '../../parse/tree.ts';
import { commonType } from '../casts/convert.ts';
import { groupBy } from '../sql/equal-texts.ts';
import { duckType, quoteName, quoteText, TEXT, type Typed } from '../sql/typed.ts';
import {
  fold,
  isOne,
  NO_NAMES,
  refusal,
  sqlError,
  type Visible,
  write,
  type Writing,
} from '../sql/writing.ts';

/** The relation that PIVOT or UNPIVOT reads, as it is written in FROM. */
export interface Pivoted {
  readonly sql: string;
  readonly relations: readonly Visible[];
}

/**
 * Translates UNPIVOT. The result has a row for each listed column, with the name and the value of the column, and the
 * other columns.
 */
export function writeUnpivot(item: Unpivot, { sql, relations }: Pivoted, writing: Writing): NamedRelation {
  const [relation, other] = relations;
  if (relation === undefined || other) throw refusal('UNPIVOT of joined tables', item.at, writing);
  const listed = item.columns.map((name) => ({
    name: fold(name, writing),
    typed: columnOf(relation, name, writing),
  }));
  const [first] = listed;
  const types = new Set(listed.map(({ typed }) => duckType(typed.type)));
  if (first === undefined || types.size > 1)
    throw sqlError('the columns of UNPIVOT must have the same type; cast them to one type', item.at, writing);
  const valueType = commonType(
    listed.map(({ typed }) => typed),
    item.at,
    writing,
  );
  const names = new Set(listed.map(({ name }) => name));
  const others = [...relation.columns].filter(([name]) => !names.has(name));
  const columns: readonly Column[] = [
    ...others.map(([name, { type }]) => ({ name, type })),
    { name: fold(item.name, writing), type: TEXT },
    { name: fold(item.value, writing), type: valueType },
  ];
  const cells = [
    ...others.map(([name, typed]) => `${typed.sql} AS ${quoteName(name)}`),
    `unnest([${listed.map(({ name }) => quoteText(name)).join(', ')}]) AS ${quoteName(columns.at(-2)?.name ?? '')}`,
    `unnest([${listed.map(({ typed }) => typed.sql).join(', ')}]) AS ${quoteName(columns.at(-1)?.name ?? '')}`,
  ];
  const sqlAlias = writing.session.fresh('u');
  const rows = `SELECT ${cells.join(', ')} FROM ${sql}`;
  const kept = item.keepsNulls
    ? ''
    : ` WHERE ${sqlAlias}.${quoteName(columns.at(-1)?.name ?? '')} IS NOT NULL`;
  return { sql: `(SELECT * FROM (${rows}) AS ${sqlAlias}${kept})`, columns };
}

/**
 * Translates PIVOT. The result has a column for each value, with the aggregate of the rows that have the value. Rows
 * are grouped by all columns that PIVOT does not name.
 */
export function writePivot(item: Pivot, { sql, relations }: Pivoted, writing: Writing): NamedRelation {
  const [relation, other] = relations;
  if (relation === undefined || other) throw refusal('PIVOT of joined tables', item.at, writing);
  const { aggregate } = item;
  const [value] = aggregate.kind === 'call' ? aggregate.values : [];
  if (aggregate.kind !== 'call' || value?.kind !== 'column' || aggregate.values.length > 1)
    throw refusal(
      'PIVOT with anything other than an aggregate function of a single column',
      aggregate.at,
      writing,
    );
  const used = new Set([item.column, ...value.parts.slice(-1)].map((name) => fold(name, writing)));
  const groups = [...relation.columns].filter(([name]) => !used.has(name));
  const names = { ...NO_NAMES, relations };
  const results = item.values.map((each): readonly [string, Typed] => {
    const call = only(aggregate, item.column, value, each.value);
    return [nameOf(each, writing), write(call, { ...writing, names })];
  });
  const columns: readonly Column[] = [
    ...groups.map(([name, { type }]) => ({ name, type })),
    ...results.map(([name, { type }]) => ({ name, type })),
  ];
  const cells = [...groups, ...results].map(([name, typed]) => `${typed.sql} AS ${quoteName(name)}`);
  const by = groupBy(
    groups.map(([, typed]) => typed),
    writing.session.context.warehouse,
  );
  return { sql: `(SELECT ${cells.join(', ')} FROM ${sql}${by})`, columns };
}

/** The aggregate over the rows in which the column has the value. */
function only(aggregate: Call, column: Name, value: Expression, pivotValue: Expression): Call {
  const { at } = pivotValue;
  const left: Expression = { kind: 'column', at, parts: [column] };
  const when: Expression = { kind: 'binary', at, operator: '=', left, right: pivotValue };
  const chosen: Expression = {
    kind: 'case',
    at,
    subject: undefined,
    branches: [{ when, result: value }],
    otherwise: undefined,
  };
  return { ...aggregate, values: [chosen] };
}

/**
 * In `WAREHOUSE_ONE`, a text keeps its quotes in the name of its column. `WAREHOUSE_TWO` documents names for texts
 * that are names in lower case.
 */
function nameOf({ value, alias }: Pivot['values'][number], writing: Writing): string {
  if (alias) return fold(alias, writing);
  if (!isOne(writing)) {
    if (value.kind === 'text' && /^[a-z_][a-z0-9_]*$/.test(value.value)) return value.value;
    throw refusal(
      'a value of PIVOT that is not a name in lower case and has no alias',
      value.at,
      writing,
      'give the value an alias: value AS name',
    );
  }
  if (value.kind === 'text') return `'${value.value}'`;
  if (value.kind === 'number') return value.value;
  throw refusal('a value of PIVOT that is not a literal', value.at, writing);
}

function columnOf(relation: Visible, name: Name, writing: Writing): Typed {
  const typed = relation.columns.get(fold(name, writing));
  if (typed) return typed;
  throw sqlError(`column "${fold(name, writing)}" of UNPIVOT not found`, name.at, writing);
}
