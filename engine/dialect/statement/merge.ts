import type { Cursor } from '../parse/cursor.ts';
import { parseAlias } from '../parse/alias.ts';
import { parseTable } from '../parse/from.ts';
import type { Alias, Expression, FromItem, Name } from '../parse/tree.ts';
import { expectBoolean } from '../write/casts/convert.ts';
import { writeFrom } from '../write/query/from.ts';
import { quoteName } from '../write/sql/typed.ts';
import { isOne, refusal, sqlError, write, type Writing } from '../write/sql/writing.ts';
import { stored } from './insert.ts';
import {
  type Change,
  existingTable,
  readTarget,
  refuseDoubleNames,
  refuseIdentityValue,
  type Target,
  targetColumn,
  withRelations,
} from './statement.ts';
import { assignmentsText, readAssignments } from './update.ts';

interface Branch {
  readonly at: number;
  readonly isMatched: boolean;
  readonly condition: string | undefined;
  readonly does: 'UPDATE' | 'DELETE' | 'INSERT';
  readonly action: string;
}

/** What the branches need: names of both tables, of the target only, and of the source only. */
interface Sides {
  readonly target: Target;
  readonly both: Writing;
  readonly source: Writing;
}

/** Translates `MERGE INTO target USING source ON … WHEN …`. */
export function writeMerge(cursor: Cursor, writing: Writing): Change {
  const { at } = cursor;
  cursor.expectWord('INTO');
  const target = readTarget(cursor, writing, (from) => targetAlias(from, writing));
  cursor.expectWord('USING');
  const item = parseTable(cursor);
  if (!isOne(writing)) refuseSource(item, target, writing);
  const source = writeFrom(item, writing);
  const both = withRelations(writing, [target.visible, ...source.relations]);
  cursor.expectWord('ON');
  const condition = cursor.expression();
  if (!isOne(writing) && !hasEquality(condition))
    throw refusal('MERGE on a condition without equality', condition.at, writing, EQUAL);
  const on = conditionText(condition, both);
  const sides = { target, both, source: withRelations(writing, source.relations) };
  const branches: Branch[] = [];
  while (cursor.takeWord('WHEN')) branches.push(readBranch(cursor, sides));
  if (!isOne(writing) && cursor.isWord('REMOVE', 'DUPLICATES'))
    throw refusal('MERGE … REMOVE DUPLICATES', cursor.at, writing, 'write WHEN MATCHED and WHEN NOT MATCHED');
  cursor.expectEnd();
  refuseBranches(branches, writing);
  if (branches.length === 0) throw sqlError('MERGE needs at least one WHEN', at, writing);
  if (!isOne(writing) && new Set(branches.map(({ isMatched }) => isMatched)).size < 2)
    throw refusal('MERGE without both WHEN MATCHED and WHEN NOT MATCHED', at, writing, BOTH);
  const merge = `MERGE INTO ${target.sql} USING ${source.sql} ON ${on}${branches.map(branchText).join('')}`;
  const check = duplicateCheck(target, source.sql, on, branches, isOne(writing));
  return { sql: check === undefined ? [merge] : [check, merge], definesTables: false };
}

/** No clause may follow one that takes all its rows; in `WAREHOUSE_TWO`, WHEN MATCHED comes first. */
function refuseBranches(branches: readonly Branch[], writing: Writing): void {
  for (const [index, { at, isMatched }] of branches.entries()) {
    const before = branches.slice(0, index);
    const what = `WHEN ${isMatched ? '' : 'NOT '}MATCHED`;
    if (before.some((branch) => branch.isMatched === isMatched && branch.condition === undefined))
      throw refusal(`${what} after ${what} without AND`, at, writing, UNREACHED);
    if (!isOne(writing) && isMatched && before.length > 0)
      throw refusal(
        'WHEN MATCHED after WHEN NOT MATCHED',
        at,
        writing,
        'in the warehouse, WHEN MATCHED must come before WHEN NOT MATCHED: change their order',
      );
  }
}

const UNREACHED =
  'no row can reach the later clause, and the warehouse refuses it: put the clause without AND at the end';

/** `WAREHOUSE_TWO` has a shorter MERGE. */
const BOTH =
  'the warehouse requires both clauses; if you need only one, use UPDATE, DELETE or INSERT instead of MERGE';
const NO_AND = 'the warehouse does not allow a condition there: filter the source instead';

const EQUAL = 'the warehouse requires one: compare columns of both tables with =';
const NO_QUERY = 'the warehouse only accepts a table there: write the rows to a table first';

/** `WAREHOUSE_TWO` merges the rows of a table, and no others. */
function refuseSource(item: FromItem, { table }: Target, writing: Writing): void {
  if (item.kind !== 'table' && item.kind !== 'component')
    throw refusal('MERGE of a query', item.at, writing, NO_QUERY);
  if (item.kind !== 'table') return;
  const source = existingTable(item.parts, item.at, writing);
  if (source.kind === 'view') throw refusal('MERGE of a view', item.at, writing, NO_QUERY);
  if (source.sql === table.sql) throw refusal('MERGE of a table into itself', item.at, writing, NO_QUERY);
}

function hasEquality(condition: Expression): boolean {
  if (condition.kind !== 'binary') return false;
  if (condition.operator === 'AND') return hasEquality(condition.left) || hasEquality(condition.right);
  return condition.operator === '=';
}

function targetAlias(cursor: Cursor, writing: Writing): Alias | undefined {
  const alias = parseAlias(cursor);
  if (alias === undefined || isOne(writing)) return alias;
  const hint = 'the warehouse does not allow an alias there: use the name of the table';
  throw refusal('MERGE with an alias of the target', alias.name.at, writing, hint);
}

function conditionText(condition: Expression, writing: Writing): string {
  return expectBoolean(write(condition, writing), condition.at, writing).sql;
}

function readBranch(cursor: Cursor, sides: Sides): Branch {
  const { at } = cursor;
  const isMatched = !cursor.takeWord('NOT');
  cursor.expectWord('MATCHED');
  if (cursor.isWord('BY')) throw refusal('WHEN NOT MATCHED BY', at, sides.both);
  const names = isMatched ? sides.both : sides.source;
  if (cursor.isWord('AND') && !isOne(names))
    throw refusal(`WHEN ${isMatched ? '' : 'NOT '}MATCHED AND`, cursor.at, names, NO_AND);
  const condition = cursor.takeWord('AND') ? conditionText(cursor.expression(), names) : undefined;
  cursor.expectWord('THEN');
  if (!isMatched) return { at, isMatched, condition, does: 'INSERT', action: insertText(cursor, sides) };
  if (cursor.takeWord('DELETE')) return { at, isMatched, condition, does: 'DELETE', action: 'DELETE' };
  cursor.expectWord('UPDATE');
  refuseByName(cursor);
  cursor.expectWord('SET');
  const assignments = readAssignments(cursor, sides.target, sides.both);
  const action = `UPDATE SET ${assignmentsText(assignments, sides.target, sides.both)}`;
  return { at, isMatched, condition, does: 'UPDATE', action };
}

function insertText(cursor: Cursor, { target, source }: Sides): string {
  const { at } = cursor;
  cursor.expectWord('INSERT');
  refuseByName(cursor);
  const names = cursor.isOperator('(')
    ? cursor.inParentheses(() => cursor.list(() => readName(cursor, source)))
    : undefined;
  if (names) refuseDoubleNames(names, source);
  const columns = names?.map((name) => targetColumn(target.table, name, source)) ?? target.table.columns;
  for (const column of columns) refuseIdentityValue(target.table, column, at, source);
  cursor.expectWord('VALUES');
  const values = cursor.inParentheses(() => cursor.list(() => readValue(cursor)));
  if (values.length !== columns.length)
    throw sqlError(`INSERT has ${values.length} values for ${columns.length} columns`, at, source);
  const cells = columns.map((column, index) => {
    const value = values[index];
    if (value === undefined) throw new Error('no such value');
    return stored(write(value, source), column, value.at, source);
  });
  const list = columns.map((column) => quoteName(column.name)).join(', ');
  return `INSERT (${list}) VALUES (${cells.join(', ')})`;
}

function refuseByName(cursor: Cursor): void {
  if (cursor.isWord('ALL', 'BY', 'NAME'))
    throw cursor.refusal('ALL BY NAME in MERGE', cursor.at, 'list the columns');
}

function readValue(cursor: Cursor): Expression {
  const isDefault = cursor.isWord('DEFAULT') && (cursor.isOperator(',', 1) || cursor.isOperator(')', 1));
  if (isDefault) throw cursor.refusal('DEFAULT in MERGE', cursor.at, 'write the value instead');
  return cursor.expression();
}

/** In `WAREHOUSE_ONE`, the table's alias may be before a column's name. */
function readName(cursor: Cursor, writing: Writing): Name {
  const { at } = cursor;
  const names = cursor.names();
  const name = names.at(-1);
  if (names.length > 1 && !isOne(writing))
    throw sqlError(
      'the columns of INSERT cannot have a table before their names: leave the table out',
      at,
      writing,
    );
  if (name === undefined) throw cursor.unexpected('a column');
  return name;
}

function branchText({ isMatched, condition, action }: Branch): string {
  const and = condition === undefined ? '' : ` AND ${condition}`;
  return ` WHEN ${isMatched ? '' : 'NOT '}MATCHED${and} THEN ${action}`;
}

/**
 * The warehouse fails when several rows update one, `WAREHOUSE_TWO` also when they delete it; DuckDB takes one of
 * them.
 */
function duplicateCheck(
  target: Target,
  source: string,
  on: string,
  branches: readonly Branch[],
  mayDelete: boolean,
): string | undefined {
  const matched = branches.filter((branch) => branch.isMatched);
  const fails = ({ does }: Branch) => does === 'UPDATE' || !mayDelete;
  if (!matched.some(fails)) return undefined;
  const conditions = matched.map((branch) => branch.condition ?? 'TRUE').join(' OR ');
  const updates = matched
    .map((branch) => ` WHEN ${branch.condition ?? 'TRUE'} THEN ${fails(branch) ? 'TRUE' : 'FALSE'}`)
    .join('');
  const row = `${target.sql.slice(target.sql.lastIndexOf(' ') + 1)}.rowid`;
  const doubles = `SELECT ${row} FROM ${target.sql} JOIN ${source} ON ${on} WHERE ${conditions} GROUP BY ${row} HAVING count(*) > 1 AND bool_or(CASE${updates} END)`;
  return `SELECT CASE WHEN EXISTS (${doubles}) THEN error('MERGE: several rows of the source match the same row of the target') END`;
}
