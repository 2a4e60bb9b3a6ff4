import { upperAscii } from '../../../core/ascii-case.ts';
import type { Name } from '../../parse/tree.ts';
import { nextValueSql } from '../../../duckdb/catalog/physical-name.ts';
import { noteOuterRead } from './correlation.ts';
import { findRelation, missingRelation } from '../sql/find-relation.ts';
import { fullName } from './from.ts';
import { duckType, quoteText, type Typed, WHOLE } from '../sql/typed.ts';
import {
  fold,
  isOne,
  type Names,
  refusal,
  sqlError,
  type Visible,
  write,
  type Writing,
} from '../sql/writing.ts';

/** Translates a name that refers to a column of a table or to an alias in the SELECT list. */
export function writeColumn(parts: readonly Name[], at: number, writing: Writing): Typed {
  const names = parts.map((part) => fold(part, writing));
  const [column = ''] = names.slice(-1);
  const qualifiers = names.slice(0, -1);
  for (let scope: Names | undefined = writing.names; scope; scope = scope.outer) {
    const typed = findIn(scope, qualifiers, column, at, writing);
    const alias = typed || qualifiers.length > 0 ? undefined : scope.aliases.get(column);
    if (typed || alias) noteOuterRead(scope, at, writing);
    if (typed) return typed;
    if (alias) return writeAlias(column, alias, scope, writing);
  }
  const next = nextValue(parts, writing);
  if (next) return next;
  const inside = isOne(writing) ? undefined : writeSuperPath(parts, at, writing);
  if (inside) return inside;
  // In `WAREHOUSE_TWO`, the last names may be keys of a column: then the message is about the column, which is missing.
  const table = isOne(writing)
    ? -1
    : names.findIndex((_, end) => findAnywhere(writing.names, names.slice(0, end + 1)));
  const isPath = table >= 0 && table < names.length - 2;
  if (isPath)
    return supplied(missing(names.slice(0, table + 1), names[table + 1] ?? '', at, writing), writing);
  return supplied(missing(qualifiers, column, at, writing), writing);
}

/** NULL in place of a column that is not there, if the caller wants to know which others are not. Throws the error otherwise. */
function supplied(error: Error, { session }: Writing): Typed {
  if (session.context.missingColumn?.(error) !== true) throw error;
  return { sql: 'NULL', type: { name: 'NULL' } };
}

/**
 * In `WAREHOUSE_TWO`, names after the name of a semi-structured column are keys: `table.column.key`. A key without
 * its value is NULL.
 */
function writeSuperPath(parts: readonly Name[], at: number, writing: Writing): Typed | undefined {
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const names = parts.slice(0, length).map((part) => fold(part, writing));
    const [column = ''] = names.slice(-1);
    const value = findValue(names.slice(0, -1), column, at, writing);
    if (value === undefined) continue;
    if (value.type.name !== 'VARIANT')
      throw refusal(`a path into a value of type ${value.type.name}: the column "${column}"`, at, writing);
    const keys = parts.slice(length).map((part) => fold(part, writing));
    return { sql: `(${value.sql} -> ${quoteText(pathText(keys, at, writing))})`, type: value.type };
  }
  return undefined;
}

/** A column in any scope; undefined, and no error, if there is none. */
function findValue(
  qualifiers: readonly string[],
  column: string,
  at: number,
  writing: Writing,
): Typed | undefined {
  for (let scope: Names | undefined = writing.names; scope; scope = scope.outer) {
    const isThere = qualifiers.length === 0 || findRelation(scope, qualifiers)?.columns.has(column) === true;
    const typed = isThere ? findIn(scope, qualifiers, column, at, writing) : undefined;
    if (typed) noteOuterRead(scope, at, writing);
    if (typed) return typed;
  }
  return undefined;
}

/** The path of keys and indexes into a semi-structured value, in DuckDB's form. */
export function pathText(steps: readonly (string | number)[], at: number, writing: Writing): string {
  const texts = steps.map((step) => {
    if (typeof step === 'string' && /["\\]/.test(step)) throw refusal(`the key ${step}`, at, writing);
    return typeof step === 'number' ? `[${step}]` : `."${step}"`;
  });
  return `$${texts.join('')}`;
}

/** `sequence.NEXTVAL`. */
function nextValue(parts: readonly Name[], writing: Writing): Typed | undefined {
  const [last, ...sequence] = parts.toReversed();
  if (last === undefined || last.isQuoted || upperAscii(last.text) !== 'NEXTVAL') return undefined;
  if (sequence.length === 0 || !isOne(writing)) return undefined;
  const name = fullName(sequence.toReversed(), writing);
  return { sql: `CAST(${nextValueSql(name)} AS ${duckType(WHOLE)})`, type: WHOLE };
}

/**
 * An alias means its expression. Inside the expression, the same name means a column. An expression that gives another
 * value each time is refused, because each use of the alias would compute it again.
 */
function writeAlias(
  column: string,
  alias: Parameters<typeof write>[0],
  scope: Names,
  writing: Writing,
): Typed {
  if (changesEachTime(alias))
    throw refusal(
      `the alias ${column} of a value that changes with each evaluation`,
      alias.at,
      writing,
      HINT,
    );
  const aliases = new Map(scope.aliases);
  aliases.delete(column);
  return write(alias, { ...writing, names: { ...scope, aliases } });
}

const HINT = 'compute it in a query in FROM';
const CHANGING = new Set(['RANDOM', 'UUID_STRING']);

/**
 * Whether an expression gives a different value each time it is evaluated, such as a random value or the next value
 * of a sequence.
 */
export function changesEachTime(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(changesEachTime);
  if (typeof part !== 'object' || part === null) return false;
  const { kind, name, parts } = part as { kind?: unknown; name?: unknown; parts?: readonly Name[] };
  if (kind === 'call' && CHANGING.has(String(name))) return true;
  if (kind === 'column')
    return (parts?.length ?? 0) > 1 && upperAscii(parts?.at(-1)?.text ?? '') === 'NEXTVAL';
  return Object.values(part).some(changesEachTime);
}

function findIn(
  scope: Names,
  qualifiers: readonly string[],
  column: string,
  at: number,
  writing: Writing,
): Typed | undefined {
  if (qualifiers.length === 0) {
    const merged = scope.merged.get(column);
    if (merged) return merged;
    const matches = scope.relations.flatMap((relation) => relation.columns.get(column) ?? []);
    if (matches.length > 1)
      throw sqlError(
        `several tables in FROM have a column "${column}"; write the name or alias of the table before it`,
        at,
        writing,
        'ambiguous-column',
      );
    for (const relation of scope.relations) if (!matches[0]) refuseColumn(relation, column, at, writing);
    return matches[0];
  }
  const relation = findRelation(scope, qualifiers);
  if (!relation) return undefined;
  refuseColumn(relation, column, at, writing);
  const typed = relation.columns.get(column);
  return typed ?? supplied(missing(qualifiers, column, at, writing, [relation]), writing);
}

function refuseColumn(relation: Visible, column: string, at: number, writing: Writing): void {
  const { refused } = relation;
  if (refused?.columns.includes(column) === true)
    throw refusal(`the column ${column} of ${refused.by}`, at, writing);
}

function missing(
  qualifiers: readonly string[],
  column: string,
  at: number,
  writing: Writing,
  relations: readonly Visible[] = visible(writing.names),
): Error {
  const relation = qualifiers.length > 0 ? findAnywhere(writing.names, qualifiers) : undefined;
  if (qualifiers.length > 0 && !relation)
    return sqlError(missingRelation(qualifiers, relations), at, writing);
  const names = relations.flatMap((each) => [...each.columns.keys()]);
  const similar = names.find((name) => name.toLowerCase() === column.toLowerCase());
  const hint = similar ? `; the table has "${similar}"` : columnsHint(relation ? [relation] : relations);
  if (column === 'SYSDATE' && isOne(writing))
    return sqlError('column "SYSDATE" not found; if you mean the function, write SYSDATE()', at, writing);
  return sqlError(`column "${column}" not found${hint}`, at, writing, 'missing-column');
}

const maxListed = 20;

/** The columns that a name can mean, by the table or alias in FROM if each has a name. */
function columnsHint(relations: readonly Visible[]): string {
  const listed = relations
    .filter(({ columns }) => columns.size > 0)
    .map(({ alias, columns }) => ({ alias, names: [...columns.keys()].map((name) => `"${name}"`) }));
  if (listed.some(({ alias }) => alias === '') || listed.length > maxListed) {
    const names = [...new Set(listed.flatMap((each) => each.names))].slice(0, maxListed);
    return names.length > 0 ? `; known: ${names.join(', ')}` : '';
  }
  const limit = Math.ceil(maxListed / Math.max(listed.length, 1));
  return listed
    .map(({ alias, names }) => {
      const left = names.length - limit;
      const more = left > 0 ? ` and ${left} more` : '';
      return `; "${alias}" has ${names.slice(0, limit).join(', ')}${more}`;
    })
    .join('');
}

function findAnywhere(names: Names, qualifiers: readonly string[]): Visible | undefined {
  for (let scope: Names | undefined = names; scope; scope = scope.outer) {
    const relation = findRelation(scope, qualifiers);
    if (relation) return relation;
  }
  return undefined;
}

function visible(names: Names): readonly Visible[] {
  const all: Visible[] = [];
  for (let scope: Names | undefined = names; scope; scope = scope.outer) all.push(...scope.relations);
  return all;
}
