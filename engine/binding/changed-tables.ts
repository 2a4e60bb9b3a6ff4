import type { TableName } from '../core/relation.ts';
import { logicalTable } from '../duckdb/catalog/physical-name.ts';
import type { WriteMode } from './bound-pipeline.ts';

/** A table that one statement has changed. */
export interface ChangedTable {
  readonly table: TableName;
  /** As DuckDB's SQL names it. */
  readonly sql: string;
  readonly mode: WriteMode;
  /** Columns that an INSERT lists. */
  readonly written?: readonly string[];
  /** Whether what it does depends on the rows and columns that the table has. */
  readonly isRead: boolean;
}

const NAME = '("(?:[^"]|"")+"\\."(?:[^"]|"")+")';
const LIST = /^ \(((?:"(?:[^"]|"")+"(?:, )?)+)\)/;
const COLUMN = /"((?:[^"]|"")+)"/g;

/** What follows the table of a DELETE without a condition. */
const ALIAS_ONLY = /^(?: AS \w+)?$/;

/** The statements that the engine writes, by their first words. */
const FORMS: readonly (readonly [RegExp, WriteMode])[] = [
  [new RegExp(`^CREATE OR REPLACE (?:TABLE|VIEW) ${NAME}`), 'define'],
  [new RegExp(`^ALTER TABLE ${NAME}`), 'alter'],
  [new RegExp(`^DROP (?:TABLE|VIEW) (?:IF EXISTS )?${NAME}`), 'drop'],
  [new RegExp(`^INSERT INTO ${NAME}`), 'insert'],
  [new RegExp(`^(?:UPDATE|DELETE FROM|MERGE INTO) ${NAME}`), 'change'],
];

/** The tables and views that a statement of DuckDB's SQL (as the engine writes it) changes, without temporary ones. */
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
