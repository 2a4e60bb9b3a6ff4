import { itemsOf, textOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import {
  type FindFaults,
  nextInCells,
  otherWord,
  otherWords,
  type OtherWords,
  withoutRow,
} from './part-faults.ts';

/** The comparators of filters, mapped values and `if`, with their replacements. */
export const comparators: OtherWords = {
  'Equal to': ['Less than or equal to'],
  'Less than': ['Less than or equal to', 'Greater than'],
  'Less than or equal to': ['Less than'],
  'Greater than': ['Greater than or equal to', 'Less than'],
  'Greater than or equal to': ['Greater than'],
  Like: ['Equal to'],
  Null: ['Null or blank'],
  'Null or blank': ['Null', 'Blank'],
  Blank: ['Null or blank'],
};

/** A text is rarely compared by its order, so only `Not` and another text are mistakes of an equality with one. */
function isOrdered(row: YamlNode): boolean {
  const [, , comparator, value] = itemsOf(row).map((cell) => textOf(cell)?.trim() ?? '');
  if (comparator?.toLowerCase() !== 'equal to' || value === undefined) return true;
  return value.includes('${') || /^'?[+-]?\d/.test(value);
}

const withoutValue: ReadonlySet<string> = new Set(['null', 'null or blank', 'blank']);

function hasValue(row: YamlNode): boolean {
  const comparator = textOf(itemsOf(row)[2])?.trim().toLowerCase() ?? '';
  return !withoutValue.has(comparator);
}

/** Rows of a column or variable, `Is` or `Not`, a comparator and a value. */
const inRows: readonly FindFaults[] = [
  otherWords('negation', 1, { Is: ['Not'], Not: ['Is'] }),
  otherWords(
    (word) => (withoutValue.has(word.toLowerCase()) ? 'null-handling' : 'comparison'),
    2,
    comparators,
    isOrdered,
  ),
  nextInCells(3, hasValue),
];

/** Changes of a filter's conditions. Without conditions, a filter keeps all rows. */
export const filterConditions: readonly FindFaults[] = [...inRows, withoutRow('left-out-condition')];

/** Changes of the conditions of an `if`, which needs at least one. */
export const ifConditions: readonly FindFaults[] = [...inRows, withoutRow('left-out-condition', { min: 2 })];

/** Changes of conditions and of the text that each gives. */
export const mappedValues: readonly FindFaults[] = [
  ...inRows,
  nextInCells(4),
  withoutRow('left-out-branch', { min: 2 }),
];

/** Swaps `And` and `Or` in the parameter that combines several conditions. */
export function combination(conditions: string): FindFaults {
  const find = otherWord('combination', { And: ['Or'], Or: ['And'] });
  return (part) => (itemsOf(part.component.parameter(conditions)).length > 1 ? find(part) : []);
}
