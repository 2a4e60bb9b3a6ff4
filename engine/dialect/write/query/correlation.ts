import type { Expression, Query, QueryBody } from '../../parse/tree.ts';
import { isOne, type Names, refusal, type Writing } from '../sql/writing.ts';

// A subquery that names columns of a query around it is correlated. Warehouses take only some forms of them.

const JOIN_INSTEAD = 'the warehouse refuses it: join the tables instead';

/** Records that a subquery refers to a column of an outer query, for `isCorrelated`. */
export function noteOuterRead(scope: Names, at: number, writing: Writing): void {
  const { session, names } = writing;
  if (scope === names || scope.isConstant) return;
  session.outerReads.push({ scope, at });
  const isNext = names.outer !== undefined && isSame(names.outer, scope);
  if (!isNext && !isOne(writing))
    throw refusal('a subquery with a column of a query two levels around it', at, writing, JOIN_INSTEAD);
}

/** Copies of a scope, which differ in their aliases, have the same tables. */
function isSame(scope: Names, other: Names): boolean {
  return scope === other || (scope.relations.length > 0 && scope.relations === other.relations);
}

/** The number of columns of outer queries that subqueries have read so far. Pass it as `since` later. */
export function markOuterReads({ session }: Writing): number {
  return session.outerReads.length;
}

/** Whether a subquery that was translated after `since` refers to a column of this scope. */
export function readsScope(scope: Names, since: number, { session }: Writing): boolean {
  return session.outerReads.slice(since).some((read) => isSame(read.scope, scope));
}

/** Whether a query that was written since the position `since` names a column of a query around it. */
function isCorrelated(since: number, writing: Writing): boolean {
  for (let scope = writing.names.outer; scope; scope = scope.outer)
    if (readsScope(scope, since, writing)) return true;
  return false;
}

const NO_LIMIT =
  'the warehouse refuses it: use MIN, MAX or ANY_VALUE of the value, or join a query that numbers the rows with ROW_NUMBER()';

/** Refuses what no warehouse accepts in a correlated subquery. Called after the subquery was translated. */
export function refuseCorrelated(query: Query, since: number, writing: Writing): void {
  if (writing.names.outer === undefined || !isCorrelated(since, writing)) return;
  if (isLimited(query)) throw refusal('LIMIT in a correlated subquery', query.at, writing, NO_LIMIT);
  if (!isOne(writing) && has(query.body, ({ kind, window }) => kind === 'call' && window !== undefined))
    throw refusal('a window function in a correlated subquery', query.at, writing, JOIN_INSTEAD);
}

function isLimited({ limit, offset, body }: Query): boolean {
  if (limit !== undefined || offset !== undefined) return true;
  return body.kind === 'nested' && isLimited(body.query);
}

/**
 * Refuses what the warehouse does not accept in the subquery of IN or EXISTS. Records after `since` show whether the
 * subquery is correlated.
 */
export function refuseListed(what: 'IN' | 'EXISTS', query: Query, since: number, writing: Writing): void {
  if (isOne(writing)) {
    if (isLimited(query)) throw refusal(`LIMIT in the query of ${what}`, query.at, writing, NOT_LISTED);
    return;
  }
  const isGrouped = query.body.kind === 'select' && query.body.groups !== undefined;
  if (what === 'IN' && isGrouped && readsScope(writing.names, since, writing) && hasTotal(query.body))
    throw refusal('IN of a correlated subquery with GROUP BY', query.at, writing, JOIN_INSTEAD);
}

const NOT_LISTED = 'the warehouse refuses it: move the query with LIMIT into FROM, and select from it';
const TOTALS = new Set([
  'COUNT',
  'SUM',
  'AVG',
  'LISTAGG',
  'MEDIAN',
  'STDDEV',
  'STDDEV_SAMP',
  'VARIANCE',
  'VAR_SAMP',
]);

/** Whether it has an aggregate other than MIN and MAX, which have no such limit. */
function hasTotal(body: QueryBody): boolean {
  return has(body, ({ kind, name }) => kind === 'call' && typeof name === 'string' && TOTALS.has(name));
}

type Part = { readonly [key: string]: unknown };

/** Whether a syntax tree contains a node of a certain kind. Inner queries are not searched. */
export function has(tree: Expression | QueryBody, test: (node: Part) => boolean): boolean {
  const visit = (part: unknown): boolean => {
    if (typeof part !== 'object' || part === null) return false;
    if (Array.isArray(part)) return part.some(visit);
    if (test(part as Part)) return true;
    return !('tables' in part && 'body' in part) && Object.values(part).some(visit);
  };
  return visit(tree);
}
