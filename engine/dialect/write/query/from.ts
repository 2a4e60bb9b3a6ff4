import { numberOf } from '../../../../lib/core/text/number-of.ts';
import type { TableName } from '../../../core/relation.ts';
import type { NamedRelation } from '../../../core/dialect.ts';
import type { Alias, FromItem, Join, Name } from '../../parse/tree.ts';
import { generatorSql } from './generator.ts';
import { noted } from './noted-columns.ts';
import { conditionText } from './join-condition.ts';
import { flattenRelation } from './flatten-call.ts';
import { writePivot, writeUnpivot } from './pivot.ts';
import { comparable } from '../operators/operators.ts';
import { quoteName, type Typed } from '../sql/typed.ts';
import { writeRows } from './values.ts';
import { commonType } from '../casts/convert.ts';
import { expectReadable } from '../../../duckdb/catalog/readable-view.ts';
import { fold, isOne, NO_NAMES, refusal, sqlError, type Visible, type Writing } from '../sql/writing.ts';

/** The part of the FROM clause that was already translated: its SQL, and the names that columns can refer to. */
export interface Source {
  readonly sql: string;
  readonly relations: readonly Visible[];
  readonly merged: ReadonlyMap<string, Typed>;
}

type TableItem = Exclude<FromItem, Join>;

export function writeFrom(item: FromItem, writing: Writing, left: readonly Visible[] = []): Source {
  if (item.kind === 'join') return writeJoin(item, writing, left);
  return { ...writeTable(item, writing, left), merged: new Map() };
}

function writeTable(
  item: TableItem,
  writing: Writing,
  left: readonly Visible[],
): { sql: string; relations: readonly Visible[] } {
  switch (item.kind) {
    case 'table': {
      refuseUnnesting(item.parts, item.at, left, writing);
      const { relation, path } = findTable(item.parts, item.at, writing);
      const last = item.parts.at(-1);
      const placed = place(
        relation,
        item.alias,
        last && fold(last, writing),
        writing,
        item.alias ? undefined : path,
      );
      return path.length === 0 ? derived(placed) : noted(placed, relation, writing);
    }
    case 'component': {
      const relation = writing.session.context.components.get(item.name);
      if (!relation) throw sqlError(`$T{${item.name}} is not a source of this component`, item.at, writing);
      return place(relation, item.alias, item.name, writing);
    }
    case 'derived': {
      const { outer } = writing.names;
      const around = item.isLateral ? { ...NO_NAMES, relations: left, outer } : outer;
      const query = writing.session.query(item.query, { ...writing, names: { ...NO_NAMES, outer: around } });
      return derived(
        place(
          { sql: `${item.isLateral ? 'LATERAL ' : ''}(${query.sql})`, columns: query.columns },
          item.alias,
          undefined,
          writing,
        ),
      );
    }
    case 'values': {
      const rows = writeRows(item.rows, item.at, writing);
      return derived(place({ sql: `(${rows.sql})`, columns: rows.columns }, item.alias, undefined, writing));
    }
    case 'flatten': {
      const names = { ...writing.names, relations: left };
      const { relation, shown } = flattenRelation(item, { ...writing, names });
      const placed = place(relation, item.alias, undefined, writing);
      return { ...placed, relations: placed.relations.map(shown) };
    }
    case 'generator': {
      const rows = generatorSql(item, writing);
      const placed = place({ sql: rows, columns: [] }, item.alias, undefined, writing);
      const counter = `${placed.sql.slice(rows.length + ' AS '.length)}.n`;
      return { ...placed, relations: placed.relations.map((relation) => ({ ...relation, counter })) };
    }
    case 'pivot':
      return place(
        writePivot(item, writeFrom(item.item, writing, left), writing),
        item.alias,
        undefined,
        writing,
      );
    case 'unpivot':
      return place(
        writeUnpivot(item, writeFrom(item.item, writing, left), writing),
        item.alias,
        undefined,
        writing,
      );
  }
}

/** `FROM t, t.c` of `WAREHOUSE_TWO`: the items of a SUPER value of a table before it. */
function refuseUnnesting(
  parts: readonly Name[],
  at: number,
  left: readonly Visible[],
  writing: Writing,
): void {
  const [first, second] = parts;
  if (isOne(writing) || first === undefined || second === undefined) return;
  const [alias, column] = [fold(first, writing), fold(second, writing)];
  if (left.some((relation) => relation.alias === alias && relation.columns.has(column)))
    throw refusal('the items of a SUPER value in FROM', at, writing, 'read an item by its index: column[0]');
}

function derived(placed: Pick<Source, 'sql' | 'relations'>): Pick<Source, 'sql' | 'relations'> {
  return { ...placed, relations: placed.relations.map((each) => ({ ...each, isDerived: true })) };
}

/** Gives a relation a name of its own. */
function place(
  relation: NamedRelation,
  alias: Alias | undefined,
  name: string | undefined,
  writing: Writing,
  path?: readonly string[],
): { sql: string; relations: readonly Visible[] } {
  const sqlAlias = writing.session.fresh('t');
  const names = alias?.columns.map((column) => fold(column, writing)) ?? [];
  if (alias && names.length > relation.columns.length)
    throw sqlError(
      `${alias.name.text} lists ${numberOf(names.length, 'column name')}, but its table has ${numberOf(relation.columns.length, 'column')}`,
      alias.name.at,
      writing,
    );
  const columns = new Map<string, Typed>();
  for (const [index, column] of relation.columns.entries()) {
    const visible = names[index] ?? column.name;
    if (columns.has(visible))
      throw sqlError(`the column name "${visible}" is used twice`, alias?.name.at ?? 0, writing);
    columns.set(visible, { sql: `${sqlAlias}.${quoteName(column.name)}`, type: column.type });
  }
  const shown = alias ? fold(alias.name, writing) : (name ?? sqlAlias);
  return {
    sql: `${relation.sql} AS ${sqlAlias}`,
    relations: [
      {
        alias: shown,
        columns,
        ...(path && { path }),
        ...(writing.session.reads.has(relation.sql) && { table: relation.sql }),
      },
    ],
  };
}

/** Finds a common table expression, or a table of the warehouse. Throws SqlError if there is none. */
export function findTable(
  parts: readonly Name[],
  at: number,
  writing: Writing,
): { relation: NamedRelation; path: readonly string[] } {
  const names = parts.map((part) => fold(part, writing));
  const common = names.length === 1 ? writing.commonTables.get(names[0] ?? '') : undefined;
  if (common) return { relation: common, path: [] };
  const name = fullName(parts, writing);
  const { catalog } = writing.session.context;
  const table = catalog.find(name);
  if (!table) {
    refuseOwnTable(name, names, at, writing);
    const similar = catalog.findIgnoringCase(name);
    const hint = similar ? `; there is "${similar.database}"."${similar.schema}"."${similar.table}"` : '';
    throw sqlError(
      `table "${name.database}"."${name.schema}"."${name.table}" not found${hint}`,
      at,
      writing,
      'missing-table',
    );
  }
  expectReadable(table, catalog, `"${table.table}"`, writing.session.source.placeOf(at));
  writing.session.reads.set(table.sql, table);
  return { relation: table, path: [name.database, name.schema] };
}

/** Tables and views that the warehouse itself has: that they are not there is no error of the pipeline. */
function refuseOwnTable(
  { schema, table }: TableName,
  parts: readonly string[],
  at: number,
  writing: Writing,
): void {
  const isDual = isOne(writing) && parts.length === 1 && table === 'DUAL';
  const isOfCatalog = /^(?:information_schema|account_usage|pg_catalog|svcs?|sys)$/i.test(schema);
  const isOfSystem = !isOne(writing) && parts.length === 1 && /^(?:pg|stl|stv|svl|svv|svcs|sys)_/.test(table);
  if (isDual || isOfCatalog || isOfSystem)
    throw refusal(
      `the table ${parts.join('.')} of the warehouse`,
      at,
      writing,
      isDual ? 'leave FROM out' : 'provide a table with this name in the test, or mock the component',
    );
}

export function fullName(parts: readonly Name[], writing: Writing): TableName {
  const { defaults } = writing.session.context;
  const names = parts.map((part) => fold(part, writing));
  const [database, schema, table] = [...Array.from({ length: 3 - names.length }, () => undefined), ...names];
  return { database: database ?? defaults.database, schema: schema ?? defaults.schema, table: table ?? '' };
}

function writeJoin(item: Join, writing: Writing, outerLeft: readonly Visible[]): Source {
  const left = writeFrom(item.left, writing, outerLeft);
  const right = writeFrom(item.right, writing, [...outerLeft, ...left.relations]);
  const relations = [...left.relations, ...right.relations];
  const aliases = relations.map((relation) => `${relation.path?.join('.') ?? ''}.${relation.alias}`);
  if (new Set(aliases).size < aliases.length)
    throw sqlError('two tables in FROM have the same name; give one of them an alias', item.at, writing);
  refuseShared(item, left, right, writing);
  if (item.isNatural) throw refusal('NATURAL JOIN', item.at, writing, 'use USING');
  const merged = new Map([...left.merged, ...right.merged]);
  const rightSql = needsParentheses(item) ? `(${right.sql})` : right.sql;
  const sides = `${left.sql} ${item.how} JOIN ${rightSql}`;
  if (item.using)
    return { sql: `${sides} ON ${using(item, left, right, merged, writing)}`, relations, merged };
  if (item.how === 'CROSS') return { sql: sides, relations, merged };
  if (!item.on) return { sql: `${left.sql} CROSS JOIN ${rightSql}`, relations, merged };
  return { sql: `${sides} ON ${conditionText(item, item.on, left, right, writing)}`, relations, merged };
}

/** Joins associate to the left: only inner and left joins on the right of a comma mean the same without parentheses. */
function needsParentheses({ how, right }: Join): boolean {
  if (right.kind !== 'join') return false;
  return how !== 'CROSS' || keepsRightRows(right);
}

function keepsRightRows(item: FromItem): boolean {
  return item.kind === 'join' && (item.how === 'RIGHT' || item.how === 'FULL' || keepsRightRows(item.left));
}

/** A column that USING made one of two must not be in a third table too: its name would have two meanings. */
function refuseShared(item: Join, left: Source, right: Source, writing: Writing): void {
  const named = new Set(item.using?.map((name) => fold(name, writing)));
  const has = (side: Source, name: string): boolean =>
    side.relations.some((relation) => relation.columns.has(name));
  const shared =
    [...left.merged.keys()].find((name) => !named.has(name) && has(right, name)) ??
    [...right.merged.keys()].find((name) => has(left, name));
  if (shared !== undefined)
    throw refusal(`USING (${shared}) if a third table also has this column`, item.at, writing);
}

function using(
  item: Join,
  left: Source,
  right: Source,
  merged: Map<string, Typed>,
  writing: Writing,
): string {
  const conditions = (item.using ?? []).map((name) => {
    const column = fold(name, writing);
    const a = columnOf(left, column, name.at, writing);
    const b = columnOf(right, column, name.at, writing);
    const [x, y] = comparable(a, b, name.at, writing);
    const isText = a.type.name === 'VARCHAR' && b.type.name === 'VARCHAR';
    const type = isText ? commonType([a, b], name.at, writing) : a.type;
    const both = { sql: `coalesce(${a.sql}, ${b.sql})`, type };
    merged.set(column, item.how === 'FULL' ? both : item.how === 'RIGHT' ? b : a);
    return `${x.sql} = ${y.sql}`;
  });
  return conditions.join(' AND ');
}

function columnOf(source: Source, column: string, at: number, writing: Writing): Typed {
  const merged = source.merged.get(column);
  if (merged) return merged;
  const matches = source.relations.flatMap((relation) => relation.columns.get(column) ?? []);
  const [first] = matches;
  if (first === undefined || matches.length > 1)
    throw sqlError(
      `column "${column}" of USING ${first ? 'is ambiguous' : 'not found'}`,
      at,
      writing,
      first ? 'ambiguous-column' : 'missing-column',
    );
  return first;
}
