import { Refusal, SqlError } from '../core/refusal.ts';
import type { Table, TableName } from '../core/relation.ts';
import { expectReadable } from '../duckdb/catalog/readable-view.ts';
import { readTable, type TableKey, type TableReference } from '../parameters/read-table.ts';
import type { Binding } from './component-type.ts';
import { storedName } from './find-column.ts';

/** What is needed to read the name of a table in parameters. */
export type TableBinding = Pick<Binding, 'parameters' | 'reader' | 'dialect'>;

/** The name of the table that the parameters name, as the warehouse stores it. The table need not exist. */
export function namedTable({ parameters, reader, dialect }: TableBinding, key: TableKey): TableReference {
  const { database, schema, table, place } = readTable(parameters, key, reader, dialect.defaults);
  const stored = (name: string) => storedName(name, dialect.warehouse);
  return { database: stored(database), schema: stored(schema), table: stored(table), place };
}

/** Finds the table or view that the parameters name. Throws SqlError if it does not exist. */
export function existingTable(binding: TableBinding, key: TableKey): Table {
  const name = namedTable(binding, key);
  const { catalog } = binding.dialect;
  const table = catalog.find(name);
  if (table !== undefined) {
    expectReadable(table, catalog, tableText(table), name.place);
    return table;
  }
  const similar = catalog.findIgnoringCase(name);
  const hint = similar === undefined ? '' : `; there is ${tableText(similar)}: upper and lower case differ`;
  throw new SqlError(`the table ${tableText(name)} was not found${hint}`, {
    place: name.place,
    code: 'missing-table',
  });
}

/**
 * The name of a table or view that a component creates or replaces. Throws SqlError if a view has the name although a
 * table is needed, or the reverse. Throws Refusal if another table or view has a name that differs only in case,
 * because DuckDB would replace it.
 */
export function replaceableName(binding: Binding, key: TableKey, kind: Table['kind']): TableReference {
  const name = namedTable(binding, key);
  const existing = binding.dialect.catalog.findIgnoringCase(name);
  if (existing === undefined) return name;
  if (tableText(existing) !== tableText(name)) {
    const both = `${tableText(name)} next to ${tableText(existing)}`;
    throw new Refusal(
      both,
      name.place,
      'their names differ only in upper and lower case: rename one of them',
    );
  }
  if (existing.kind === kind) return name;
  const message = `${tableText(name)} is a ${existing.kind} and cannot be replaced by a ${kind}; choose another name, or drop the ${existing.kind} first`;
  throw new SqlError(message, { place: name.place, code: 'exists' });
}

/** Finds the table whose rows a component changes. Throws SqlError if there is no such table, or if it is a view. */
export function writableTable(binding: Binding, key: TableKey): Table {
  const table = existingTable(binding, key);
  if (table.kind === 'table') return table;
  const { place } = namedTable(binding, key);
  throw new SqlError(`${tableText(table)} is a view: its rows cannot be changed; name a table in ${key}`, {
    place,
  });
}

/** The name of a table as messages show it: `"DB"."SCHEMA"."orders"`. */
export function tableText({ database, schema, table }: TableName): string {
  return [database, schema, table].map((part) => `"${part}"`).join('.');
}
