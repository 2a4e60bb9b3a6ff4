import type { YamlNode } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import { quoteName } from '../duckdb/physical-name.ts';
import { readRows } from '../parameters/read-rows.ts';
import type { Binding, Input } from './component-type.ts';
import { findColumn } from './find-column.ts';

/** Every direction that files use. NULL is the largest value unless the direction says otherwise. */
const directions: Readonly<Record<string, string>> = {
  '': 'ASC NULLS LAST',
  asc: 'ASC NULLS LAST',
  ascending: 'ASC NULLS LAST',
  desc: 'DESC NULLS FIRST',
  descending: 'DESC NULLS FIRST',
  'nulls first': 'ASC NULLS FIRST',
};

/** The terms of an ORDER BY from rows `[column, direction]`; empty where none are set. */
export function orderTerms(
  node: YamlNode | undefined,
  input: Input,
  { reader, dialect }: Binding,
): readonly string[] {
  return readRows(node, reader).flatMap(({ cells: [column, direction] }) => {
    if (column === undefined || column.text === '') return [];
    const { name } = findColumn(input.columns, column, dialect, `the input "${input.name}"`);
    const words = directions[(direction?.text ?? '').trim().toLowerCase()];
    if (words !== undefined) return [`${quoteName(name)} ${words}`];
    const place = (direction ?? column).placeOf(0);
    throw new Refusal(
      `the order "${direction?.text ?? ''}"`,
      place,
      'use Ascending, Descending or Nulls First',
    );
  });
}

/** ` ORDER BY …`, or an empty text where there are no terms. */
export function orderByClause(terms: readonly string[]): string {
  return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
}
