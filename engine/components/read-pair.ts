import type { SourceText } from '../core/source-text.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import type { Row } from '../parameters/read-rows.ts';

/** The cells of a row that has two, none of them empty. `first` and `second` name them for errors. */
export function readPair(
  { cells, place }: Row,
  first: string,
  second: string,
): readonly [first: SourceText, second: SourceText] {
  const [a, b] = cells;
  if (a === undefined || b === undefined || cells.length > 2) {
    throw new ParameterError(`expected ${first} and ${second}, found ${cells.length} cells`, place);
  }
  for (const [cell, what] of [[a, first] as const, [b, second] as const]) {
    if (cell.text.trim() === '') throw new ParameterError(`${what} is empty`, cell.placeOf(0));
  }
  return [a, b];
}
