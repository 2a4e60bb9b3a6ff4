import type { Table } from '../../core/relation.ts';
import { physicalSchema, quoteName } from '../../duckdb/catalog/physical-name.ts';
import { dependentViews } from '../../duckdb/catalog/view-needs.ts';
import type { Cursor } from '../parse/cursor.ts';
import { fullName } from '../write/query/from.ts';
import { fold, isOne, refusal, sqlError, type Writing } from '../write/sql/writing.ts';
import { type Change, existingTable } from './statement.ts';

/** Translates `DROP TABLE | VIEW [IF EXISTS] name`. */
export function writeDrop(cursor: Cursor, writing: Writing, kind: 'table' | 'view'): Change {
  const ifExists = cursor.takeWord('IF', 'EXISTS');
  const { at } = cursor;
  const parts = cursor.names();
  if (cursor.isOperator(','))
    throw refusal(`DROP ${kind.toUpperCase()} of several names`, cursor.at, writing);
  const existing = writing.session.context.catalog.find(fullName(parts, writing));
  const what = `the ${kind} "${existing?.table ?? ''}"`;
  const views = dropWithViews(cursor, existing ? [existing] : [], what, at, writing);
  if (!existing && ifExists) return { sql: [], definesTables: false };
  const table = existingTable(parts, at, writing);
  if (table.kind !== kind)
    throw sqlError(
      `"${table.table}" is a ${table.kind}: use DROP ${table.kind.toUpperCase()}`,
      at,
      writing,
      'other-kind',
    );
  return { sql: [...views, `DROP ${kind.toUpperCase()} ${table.sql}`], definesTables: true };
}

/** Parses the name of a schema, which has at most two parts: database and schema. */
export function schemaName(cursor: Cursor, writing: Writing): { database: string; schema: string } {
  const { at } = cursor;
  const names = cursor.names().map((name) => fold(name, writing));
  const [last = '', database = writing.session.context.defaults.database] = names.toReversed();
  if (names.length > 2) throw refusal('a schema name with three parts', at, writing);
  return { database, schema: last };
}

/**
 * Translates `DROP SCHEMA [IF EXISTS] name`. The tables of the schema are dropped too. One kind of warehouse does so
 * even without CASCADE.
 */
export function writeDropSchema(cursor: Cursor, writing: Writing): Change {
  const ifExists = cursor.takeWord('IF', 'EXISTS') ? 'IF EXISTS ' : '';
  const { at } = cursor;
  const { database, schema } = schemaName(cursor, writing);
  const tables = writing.session.context.catalog.list(database, schema);
  const mustBeEmpty = cursor.isWord('RESTRICT') || (!isOne(writing) && !cursor.isWord('CASCADE'));
  const [first] = tables;
  if (mustBeEmpty && first)
    throw sqlError(
      `the schema "${schema}" contains the ${first.kind} "${first.table}": drop the ${first.kind} first, or write CASCADE`,
      at,
      writing,
    );
  const views = dropWithViews(cursor, tables, `the schema "${schema}"`, at, writing);
  const cascade = mustBeEmpty ? '' : ' CASCADE';
  return {
    sql: [...views, `DROP SCHEMA ${ifExists}${quoteName(physicalSchema(database, schema))}${cascade}`],
    definesTables: true,
  };
}

/**
 * Parses the end of a DROP statement. Returns the statements that drop the views which need the dropped object. If
 * there are such views, `WAREHOUSE_TWO` refuses the statement unless it has CASCADE.
 */
export function dropWithViews(
  cursor: Cursor,
  dropped: readonly Table[],
  what: string,
  at: number,
  writing: Writing,
  column?: string,
): readonly string[] {
  const word = cursor.takeOneOf('CASCADE', 'RESTRICT');
  cursor.expectEndOfDefinition();
  const views = dependentViews(dropped, writing.session.context.catalog, column);
  const [first] = views;
  if (first && word !== 'CASCADE')
    throw sqlError(
      `the view "${first.table}" needs ${what}: drop the view first, or write CASCADE`,
      at,
      writing,
    );
  return views.map((view) => `DROP VIEW ${view.sql}`);
}
