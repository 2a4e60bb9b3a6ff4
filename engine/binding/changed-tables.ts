import type { TableName } from '../core/relation.ts';
import { logicalTable } from '../duckdb/catalog/physical-name.ts';
import type { WriteMode } from './bound-pipeline.ts';

/** A table that a statement has changed. */
export interface ChangedTable {
  readonly table: TableName;
  /** The name in DuckDB's SQL. */
  readonly sql: string;
  readonly mode: WriteMode;
  /** The columns that an INSERT lists. */
  readonly written?: readonly string[];
  /** Whether the effect of the statement depends on the rows and columns that the table already has. */
  readonly isRead: boolean;
}

const NAME = '("(?:[^"]|"")+"\\."(?:[^"]|"")+")';
const LIST = /^ \(((?:"(?:[^"]|"")+"(?:, )?)+)\)/;
const COLUMN = /"((?:[^"]|"")+)"/g;

/** The text after the table's name in a DELETE without a condition. */
const ALIAS_ONLY = /^(?: AS \w+)?$/;

/** The statements that the engine writes, recognised by their first words. */
const FORMS: readonly (readonly [RegExp, WriteMode])[] = [
  [new RegExp(`^CREATE OR REPLACE (?:TABLE|VIEW) ${NAME}`), 'define'],
  [new RegExp(`^ALTER TABLE ${NAME}`), 'alter'],
  [new RegExp(`^DROP (?:TABLE|VIEW) (?:IF EXISTS )?${NAME}`), 'drop'],
  [new RegExp(`^INSERT INTO ${NAME}`), 'insert'],
  [new RegExp(`^(?:UPDATE|DELETE FROM|MERGE INTO) ${NAME}`), 'change'],
];

/**
 * The tables and views that a statement of DuckDB's SQL changes, without temporary tables. The statement must be
 * written in the way in which the engine writes it.
 */
export function changedTables(sql: string): readonly ChangedTable[] {
  for (const [form, mode] of FORMS) {
    const [start, name] = form.exec(sql) ?? [];
    const table = name === undefined ? undefined : logicalTable(name);
    if (start === undefined || name === undefined || table === undefined) continue;
    const list = mode === 'insert' ? LIST.exec(sql.slice(start.length))?.[1] : undefined;
    const written =
      list && Array.from(list.matchAll(COLUMN), ([, column = '']) => column.replaceAll('""', '"'));
    // All rows are removed from a table whatever it has.
    const isRead = mode === 'change' && !ALIAS_ONLY.test(sql.slice(start.length));
    return [{ table, sql: name, mode, isRead, ...(written && { written }) }];
  }
  return [];
}
