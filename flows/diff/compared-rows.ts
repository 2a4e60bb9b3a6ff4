import { describeType } from '../../engine/index.ts';
import { comparableOfValue } from '../test/compare-values.ts';
import { isExactNumber } from '../test/exact-number.ts';
import { shownValue } from '../test/shown-value.ts';
import type { Shown } from '../test/test-result.ts';
import type { KeyedRows } from './find-key.ts';
import type { TableContent } from './table-content.ts';

/** The rows of two tables in the columns that both have; each value as a text that is equal for equal values. */
export interface ComparedRows {
  readonly names: readonly string[];
  readonly before: KeyedRows;
  readonly after: KeyedRows;
}

/** Values of columns with different types are equal where they have the same text: such as a date and its text. */
export function comparedRows(left: TableContent, right: TableContent): ComparedRows {
  const typeIn = ({ columns }: TableContent, name: string) =>
    columns.find((column) => column.name === name)?.type;
  const common = left.columns.flatMap(({ name, type }) => {
    const other = typeIn(right, name);
    return other === undefined
      ? []
      : [{ name, hasOtherType: describeType(type) !== describeType(other) && type.name !== other.name }];
  });
  const keyed = (content: TableContent): KeyedRows => {
    const places = common.map(({ name, hasOtherType }) => {
      const place = content.columns.findIndex((column) => column.name === name);
      return { place, type: content.columns[place]?.type, hasOtherType };
    });
    return content.rows.map((row) =>
      places.map(({ place, type, hasOtherType }) => {
        const value = row[place] ?? null;
        if (type === undefined) return '';
        if (hasOtherType) return textOf(shownValue(value, type));
        return comparableOfValue(value, type, 'as itself').key;
      }),
    );
  };
  return { names: common.map(({ name }) => name), before: keyed(left), after: keyed(right) };
}

/** Equal for a number and its text. */
function textOf(value: Shown): string {
  if (value === null) return 'null';
  if (isExactNumber(value)) return `text:${value.exactNumber}`;
  return `text:${typeof value === 'string' ? value : JSON.stringify(value)}`;
}
