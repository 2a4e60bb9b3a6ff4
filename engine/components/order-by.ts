import type { YamlNode } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import { orderKeySql } from '../duckdb/values/order-key.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { readRows } from '../parameters/read-rows.ts';
import type { Binding, Input } from './component-type.ts';
import { findColumn } from './find-column.ts';

/** The directions that pipeline files use. NULL counts as the largest value unless the direction says otherwise. */
const directions: Readonly<Record<string, string>> = {
  '': 'ASC NULLS LAST',
  asc: 'ASC NULLS LAST',
  ascending: 'ASC NULLS LAST',
  desc: 'DESC NULLS FIRST',
  descending: 'DESC NULLS FIRST',
  'nulls first': 'ASC NULLS FIRST',
};

/** The terms of an ORDER BY, read from rows `[column, direction]`, in the SQL of the warehouse and of DuckDB. */
export interface OrderTerms {
  readonly written: readonly string[];
  readonly duckdb: readonly string[];
}

/** Reads the terms from a parameter. Empty if the parameter is not set. */
export function orderTerms(node: YamlNode | undefined, input: Input, binding: Binding): OrderTerms {
  const terms = readTerms(node, input, binding);
  const { warehouse } = binding.dialect;
  return {
    written: terms.map(({ column, words }) => `${quoteName(column.name)} ${words}`),
    duckdb: terms.map(({ column: { name, type }, words }) => {
      const value = quoteName(name);
      return `${type.name === 'VARIANT' ? orderKeySql(value, warehouse) : value} ${words}`;
    }),
  };
}

interface Term {
  readonly column: Column;
  readonly words: string;
}

function readTerms(node: YamlNode | undefined, input: Input, { reader, dialect }: Binding): readonly Term[] {
  return readRows(node, reader).flatMap(({ cells: [column, direction] }) => {
    if (column === undefined || column.text === '') return [];
    const inputColumn = findColumn(input.columns, column, dialect, `the input "${input.name}"`);
    const words = directions[(direction?.text ?? '').trim().toLowerCase()];
    if (words !== undefined) return [{ column: inputColumn, words }];
    const place = (direction ?? column).placeOf(0);
    throw new Refusal(
      `the order "${direction?.text ?? ''}"`,
      place,
      'use Ascending, Descending or Nulls First',
    );
  });
}

/** The clause ` ORDER BY …`, or an empty text if there are no terms. */
export function orderByClause({ duckdb }: OrderTerms): string {
  return duckdb.length === 0 ? '' : ` ORDER BY ${duckdb.join(', ')}`;
}
