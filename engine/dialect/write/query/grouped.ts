import type { Call, Expression, GroupingSets, Select } from '../../parse/tree.ts';
import { has, markOuterReads, readsScope } from './correlation.ts';
import { fold, refusal, sqlError, write, type Writing } from '../sql/writing.ts';

// What `WAREHOUSE_TWO` does not take in GROUP BY, in HAVING and in aggregates.

const IN_FROM = 'the warehouse refuses it: compute the value in a subquery after FROM';

interface Item {
  readonly name: string;
  readonly isCorrelated?: true;
}

/**
 * Refuses a subquery in GROUP BY. A correlated subquery is also refused if GROUP BY refers to it by its position or
 * alias.
 */
export function refuseGroups({ groups }: Select, items: readonly Item[], writing: Writing): void {
  if (groups === undefined || groups === 'ALL') return;
  for (const group of groups)
    for (const value of valuesOf(group)) {
      if (hasSubquery(value)) throw refusal('a subquery in GROUP BY', value.at, writing, IN_FROM);
      const since = markOuterReads(writing);
      const item = value.kind === 'number' ? items[Number(value.value) - 1] : undefined;
      if (item === undefined && value.kind !== 'number') write(value, writing);
      if (item?.isCorrelated || readsScope(writing.names, since, writing))
        throw refusal('GROUP BY of a correlated subquery', value.at, writing, IN_FROM);
    }
}

function valuesOf(group: Expression | GroupingSets): readonly Expression[] {
  return group.kind === 'grouping sets' ? group.sets.flat() : [group];
}

function hasSubquery(value: Expression): boolean {
  return has(value, ({ kind }) => kind === 'subquery');
}

/** Refuses a subquery in HAVING, and an alias of the SELECT list, which HAVING cannot refer to. */
export function refuseHaving({ having }: Select, writing: Writing): void {
  if (having === undefined) return;
  if (hasSubquery(having)) throw refusal('a subquery in HAVING', having.at, writing, IN_FROM);
  const { aliases, relations, merged } = writing.names;
  has(having, (node) => {
    const { kind, parts } = node as Partial<Extract<Expression, { kind: 'column' }>>;
    const [name, ...more] = kind === 'column' && parts ? parts : [];
    if (name === undefined || more.length > 0) return false;
    const column = fold(name, writing);
    const isColumn = merged.has(column) || relations.some(({ columns }) => columns.has(column));
    if (isColumn || !aliases.has(column)) return false;
    const message = `HAVING cannot refer to the alias "${column}" of the SELECT list: repeat its expression`;
    throw sqlError(message, name.at, writing);
  });
}

const ONE_ORDER =
  'the warehouse requires the same order for all LISTAGG and MEDIAN: compute one of them in a subquery after FROM';

/** Refuses several LISTAGG and MEDIAN with different orders. The order of MEDIAN is its argument. */
export function refuseOrders(select: Select, writing: Writing): void {
  const values = select.items.flatMap((item) => (item.kind === 'value' ? [item.value] : []));
  let first: string | undefined;
  for (const tree of [...values, ...(select.having ? [select.having] : [])])
    has(tree, (node) => {
      const call = node.kind === 'call' ? (node as unknown as Call) : undefined;
      const order = call && !call.window ? orderOf(call, writing) : undefined;
      first ??= order;
      if (call && order !== undefined && order !== first)
        throw refusal(
          `${call.name} with a different order than another aggregate`,
          call.at,
          writing,
          ONE_ORDER,
        );
      return false;
    });
}

function orderOf({ name, values, withinGroup }: Call, writing: Writing): string | undefined {
  const [value] = values;
  if (name === 'MEDIAN' && value) return `${write(value, writing).sql} ASC`;
  if (name !== 'LISTAGG') return undefined;
  return withinGroup
    ?.map((item) => `${write(item.value, writing).sql} ${item.isDescending ? 'DESC' : 'ASC'}`)
    .join(', ');
}
