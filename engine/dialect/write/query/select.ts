import type { Column } from '../../../core/relation.ts';
import type { Call, Expression, GroupingSets, Select, SelectItem } from '../../parse/tree.ts';
import { markOuterReads, readsScope } from './correlation.ts';
import { expectBoolean } from '../casts/convert.ts';
import { refuseGroups, refuseHaving, refuseOrders } from './grouped.ts';
import { havingOfGroups, shownForEqual } from '../sql/equal-texts.ts';
import { writeFrom } from './from.ts';
import { expandStar } from '../sql/star.ts';
import { quoteName, type Typed } from '../sql/typed.ts';
import { fold, isOne, type Names, refusal, sqlError, write, type Writing } from '../sql/writing.ts';

interface Item {
  readonly name: string;
  readonly value: Typed;
  readonly at: number;
  /** It has a subquery with a column of this query. */
  readonly isCorrelated?: true;
}

export function writeSelect(
  select: Select,
  writing: Writing,
): { sql: string; columns: readonly Column[]; names: Names; values: readonly string[]; isDistinct: boolean } {
  const source = select.from && writeFrom(select.from, writing);
  const names: Names = {
    relations: source?.relations ?? [],
    merged: source?.merged ?? new Map(),
    aliases: aliasesOf(select.items, writing),
    outer: writing.names.outer,
  };
  const inner: Writing = { ...writing, names };
  const items = writeItems(select.items, inner);
  refuseDoubles(items, writing);
  if (!isOne(writing)) {
    refuseGroups(select, items, inner);
    refuseHaving(select, inner);
    refuseOrders(select, inner);
  }
  const condition = (word: string, value: Expression | undefined): readonly string[] =>
    value ? [`${word} ${expectBoolean(write(value, inner), value.at, inner).sql}`] : [];
  const { warehouse } = writing.session.context;
  const shown = ({ value }: Item) =>
    select.isDistinct && select.groups === undefined
      ? shownForEqual(value, 'DISTINCT', warehouse)
      : value.sql;
  const checked = havingOfGroups(keysOf(select, items, inner), warehouse);
  const [asked] = condition('HAVING', select.having);
  const having =
    checked === undefined
      ? asked === undefined
        ? []
        : [asked]
      : [asked ? `${asked} AND ${checked}` : `HAVING ${checked}`];
  const parts = [
    `SELECT ${select.isDistinct ? 'DISTINCT ' : ''}${items.map((item) => `${shown(item)} AS ${quoteName(item.name)}`).join(', ')}`,
    ...(source ? [`FROM ${source.sql}`] : []),
    ...condition('WHERE', select.where),
    ...writeGroups(select.groups, items, inner),
    ...having,
    ...condition('QUALIFY', select.qualify),
  ];
  const columns = items.map((item) => ({ name: item.name, type: item.value.type }));
  const values = items.map(({ value }) => value.sql);
  return { sql: parts.join(' '), columns, names, values, isDistinct: select.isDistinct };
}

function aliasesOf(items: readonly SelectItem[], writing: Writing): ReadonlyMap<string, Expression> {
  const aliases = new Map<string, Expression>();
  for (const item of items)
    if (item.kind === 'value' && item.alias) aliases.set(fold(item.alias, writing), item.value);
  return aliases;
}

/** In `WAREHOUSE_TWO`, an item of the list may only name the aliases before it. */
function writeItems(items: readonly SelectItem[], writing: Writing): readonly Item[] {
  if (isOne(writing)) return items.flatMap((item, index) => writeItem(item, index, writing));
  const aliases = new Map<string, Expression>();
  const inner: Writing = { ...writing, names: { ...writing.names, aliases } };
  return items.flatMap((item, index) => {
    const written = writeItem(item, index, inner);
    if (item.kind === 'value' && item.alias) aliases.set(fold(item.alias, writing), item.value);
    return written;
  });
}

function writeItem(item: SelectItem, index: number, writing: Writing): readonly Item[] {
  if (item.kind === 'star') return expandStar(item, writing).map((column) => ({ ...column, at: item.at }));
  const since = markOuterReads(writing);
  const value = write(item.value, writing);
  const name = item.alias ? fold(item.alias, writing) : nameOf(item.value, index, writing);
  const isCorrelated = readsScope(writing.names, since, writing);
  return [{ name, value, at: item.value.at, ...(isCorrelated && { isCorrelated }) }];
}

/** The warehouse names a column without an alias by its text; here, only plain columns and some calls have a name. */
function nameOf(value: Expression, index: number, writing: Writing): string {
  const last = value.kind === 'column' ? value.parts.at(-1) : undefined;
  if (last) return fold(last, writing);
  if (value.kind === 'call' && isOne(writing)) {
    const text = textOfCall(value);
    if (text !== undefined) return text;
  }
  if (value.kind === 'cast' && !value.isTry && !isOne(writing)) return nameOf(value.value, index, writing);
  return `${isOne(writing) ? 'COLUMN' : 'column'}_${index + 1}`;
}

/** `COUNT(*)`, or a function of one column without quotation marks. */
function textOfCall(call: Call): string | undefined {
  const { window, withinGroup, values, star, named, hasParentheses, ignoresNulls } = call;
  if (window || withinGroup || named.size > 0 || call.path || ignoresNulls || !hasParentheses)
    return undefined;
  if (star) return star.of.length + star.excluded.length === 0 ? `${call.name}(*)` : undefined;
  const [column, ...more] = values;
  if (more.length > 0 || column?.kind !== 'column' || column.parts.some(({ isQuoted }) => isQuoted))
    return undefined;
  const text = column.parts.map((part) => part.text.toUpperCase()).join('.');
  return `${call.name}(${call.isDistinct ? 'DISTINCT ' : ''}${text})`;
}

/** DuckDB does not tell columns apart that differ in case only. */
function refuseDoubles(items: readonly Item[], writing: Writing): void {
  const seen = new Map<string, string>();
  for (const { name, at } of items) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined)
      throw refusal(
        `two columns with the names "${other}" and "${name}"`,
        at,
        writing,
        'give one of them an alias',
      );
    seen.set(name.toLowerCase(), name);
  }
}

function writeGroups(groups: Select['groups'], items: readonly Item[], writing: Writing): readonly string[] {
  if (groups === undefined) return [];
  if (groups === 'ALL') return ['GROUP BY ALL'];
  return [`GROUP BY ${groups.map((group) => writeGroup(group, items, writing)).join(', ')}`];
}

/** The values by which the rows are grouped, if their texts matter. */
function keysOf(
  { groups, items: written }: Select,
  items: readonly Item[],
  writing: Writing,
): readonly Typed[] {
  if (groups === undefined || isOne(writing)) return [];
  if (groups === 'ALL')
    return written.flatMap((item) =>
      item.kind === 'value' && item.value.kind === 'column' ? [write(item.value, writing)] : [],
    );
  return groups.flatMap((group) => {
    if (group.kind === 'grouping sets') return group.sets.flat().map((value) => write(value, writing));
    if (group.kind !== 'number') return [write(group, writing)];
    const item = items[Number(group.value) - 1];
    return item === undefined ? [] : [item.value];
  });
}

function writeGroup(group: Expression | GroupingSets, items: readonly Item[], writing: Writing): string {
  if (group.kind === 'grouping sets') {
    const sets = group.sets.map((set) => `(${set.map((value) => writeSetItem(value, writing)).join(', ')})`);
    return `GROUPING SETS (${sets.join(', ')})`;
  }
  if (group.kind === 'number') {
    const position = Number(group.value);
    if (!Number.isInteger(position) || position < 1 || position > items.length)
      throw sqlError(
        `GROUP BY ${group.value} is not the position of a column: the SELECT list has ${items.length}`,
        group.at,
        writing,
      );
    return String(position);
  }
  const written = write(group, writing).sql;
  const position = items.findIndex((item) => item.value.sql === written);
  return position >= 0 ? String(position + 1) : written;
}

function writeSetItem(value: Expression, writing: Writing): string {
  if (value.kind === 'number')
    throw refusal('a position in ROLLUP, CUBE or GROUPING SETS', value.at, writing);
  return write(value, writing).sql;
}
