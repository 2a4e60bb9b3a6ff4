import type { TableName } from '../core/relation.ts';
import { physicalTable } from '../duckdb/catalog/physical-name.ts';
import { isExpected } from './binding-error.ts';
import type { Part, PartUses } from './binder-types.ts';

/** The names alone. */
export function plain({ database, schema, table }: TableName): TableName {
  return { database, schema, table };
}

/** What a part does with tables although it cannot be bound; it may do anything with those that it names if this cannot be read. */
export function usesOf(part: Part): PartUses {
  try {
    return part.uses();
  } catch (error) {
    if (isExpected(error)) return { writes: [], others: 'named' };
    throw error;
  }
}

/** The physical names of the tables that a part writes and does not read: what changes rows depends on those that are there. */
export function onlyWritten(part: Part): readonly string[] {
  return usesOf(part).writes.flatMap(({ table, mode }) => (mode === 'change' ? [] : physicalTable(table)));
}
