import type { YamlNode } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import { ParameterError } from './parameter-error.ts';
import { parameterOf, type ParameterReader, readText } from './parameter-reader.ts';
import { readRows, type Row } from './read-rows.ts';

export const comparators = [
  'equal to',
  'less than',
  'less than or equal to',
  'greater than',
  'greater than or equal to',
  'like',
  'null',
  'null or blank',
  'blank',
] as const;

export type Comparator = (typeof comparators)[number];

const cellsOfCondition = 'four cells: a column, Is or Not, a comparator and a value';

/**
 * A row `[column, Is | Not, comparator, value]`, read but not yet interpreted. Its meaning depends on the type of the
 * column.
 */
export interface Condition {
  readonly column: SourceText;
  readonly isNegated: boolean;
  readonly comparator: Comparator;
  /** The value. Undefined if the comparator needs no value; files may still have an old value there. */
  readonly value: SourceText | undefined;
  /** The cells after the value. */
  readonly more: readonly SourceText[];
  readonly row: Row;
}

/**
 * Reads the rows of conditions in filters, queries and mapped values. Upper and lower case of `Is`, `Not` and the
 * names of comparators do not matter.
 */
export function readConditions(node: YamlNode | undefined, reader: ParameterReader): readonly Condition[] {
  return readRows(node, reader).map((row) => {
    const [column, qualifier, comparator, value, ...more] = row.cells;
    if (column === undefined || qualifier === undefined || comparator === undefined) {
      throw new ParameterError(`a condition in ${row.parameter} needs ${cellsOfCondition}`, row.place);
    }
    if (column.text === '') {
      const message = `a condition in ${row.parameter} has no column. Write the column as the first cell of its row`;
      throw new ParameterError(message, column.placeOf(0));
    }
    const isNegated = readQualifier(qualifier, row);
    const parsedComparator = readComparator(comparator, row);
    const hasValue = !['null', 'null or blank', 'blank'].includes(parsedComparator);
    if (hasValue && value === undefined) {
      const message = `a condition in ${row.parameter} has no value. Write the value as the fourth cell of its row`;
      throw new ParameterError(message, row.place);
    }
    return {
      column,
      isNegated,
      comparator: parsedComparator,
      value: hasValue ? value : undefined,
      more,
      row,
    };
  });
}

/** Reads `And` or `Or`. Returns `And` if the value is not set. */
export function readCombination(node: YamlNode | undefined, reader: ParameterReader): 'and' | 'or' {
  const written = readText(node, reader);
  if (node === undefined || written === undefined) return 'and';
  const word = written.text.trim().toLowerCase();
  if (word === 'and' || word === 'or') return word;
  throw new ParameterError(
    `expected And or Or for ${parameterOf(node, reader)}, found "${written.text}"`,
    written.placeOf(0),
  );
}

function readQualifier(cell: SourceText, { parameter }: Row): boolean {
  const word = cell.text.trim().toLowerCase();
  if (word === 'is' || word === 'not') return word === 'not';
  throw new ParameterError(
    `expected Is or Not in ${parameter}, found "${cell.text}": a condition needs ${cellsOfCondition}`,
    cell.placeOf(0),
  );
}

function readComparator(cell: SourceText, { parameter }: Row): Comparator {
  const word = cell.text.trim().toLowerCase();
  const match = comparators.find((comparator) => comparator === word);
  if (match !== undefined) return match;
  if (word === '') {
    const known = comparators.join(', ');
    throw new ParameterError(
      `a condition in ${parameter} has no comparator; use one of: ${known}`,
      cell.placeOf(0),
    );
  }
  throw new Refusal(
    `the comparator "${cell.text}"`,
    cell.placeOf(0),
    `use one of: ${comparators.join(', ')}`,
  );
}
