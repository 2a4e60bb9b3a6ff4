import type { TableName } from '../core/relation.ts';
import { physicalTable } from '../duckdb/catalog/physical-name.ts';
import { isExpected } from './binding-error.ts';
import type { Part, PartUses } from './binder-types.ts';

/** The name of a table, without the other properties of the object. */
export function plain({ database, schema, table }: TableName): TableName {
  return { database, schema, table };
}

/**
 * What a part does with tables although it cannot be bound. If not even its text and parameters can be read, it may
 * write any table that it names.
 */
export function usesOf(part: Pick<Part, 'uses'>): PartUses {
  try {
    return part.uses();
  } catch (error) {
    if (isExpected(error)) return { writes: [], others: 'named' };
    throw error;
  }
}

/**
 * The names in DuckDB's SQL of the tables that a part writes but does not read. A part that changes existing rows of
 * a table also reads the table.
 */
export function onlyWritten(part: Part): readonly string[] {
  return usesOf(part).writes.flatMap(({ table, mode }) => (mode === 'change' ? [] : physicalTable(table)));
}

/** The physical names of the tables that a part replaces, whatever is there, and does not read. */
export function replacedBy(part: Pick<Part, 'uses'>): ReadonlySet<string> {
  const { writes, reads = [] } = usesOf(part);
  const replaced = writes.flatMap(({ table, isReplaced }) =>
    isReplaced === true ? physicalTable(table) : [],
  );
  return new Set(replaced).difference(new Set(reads.map(physicalTable)));
}
