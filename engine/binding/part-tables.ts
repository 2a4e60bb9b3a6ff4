import type { TableName } from '../core/relation.ts';
import { isExpected } from './binding-error.ts';
import type { Part } from './binder-types.ts';

/** The names alone. */
export function plain({ database, schema, table }: TableName): TableName {
  return { database, schema, table };
}

/** The tables that a part writes although it cannot be bound; nothing if what names the table cannot be read. */
export function targetsOf(part: Part): ReturnType<Part['fallback']> {
  try {
    return part.fallback();
  } catch (error) {
    if (isExpected(error)) return [];
    throw error;
  }
}
