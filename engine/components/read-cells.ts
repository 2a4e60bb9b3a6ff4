import { childOf } from '../../lib/yaml/yaml-node.ts';
import type { Place } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { placeOfNode, readText } from '../parameters/parameter-reader.ts';
import { readRows, type Row } from '../parameters/read-rows.ts';
import type { Binding } from './component-type.ts';

/** Reads a parameter that must have a text. Throws ParameterError if it is not set. */
export function requiredText({ parameters, reader }: Binding, key: string): SourceText {
  const written = readText(childOf(parameters, key), reader);
  if (written !== undefined) return written;
  throw new ParameterError(`the parameter ${key} is not set`, placeOfNode(parameters, reader));
}

/** Reads a parameter that must have at least one row. */
export function requiredRows({ parameters, reader }: Binding, key: string): readonly Row[] {
  const node = childOf(parameters, key);
  const rows = readRows(node, reader);
  if (rows.length > 0) return rows;
  const place = placeOfNode(node ?? parameters, reader);
  const isGrid = childOf(node, 'fromGrid') !== undefined;
  throw new ParameterError(
    isGrid
      ? `the parameter ${key} is a grid variable that has no rows; it needs at least one`
      : `the parameter ${key} is not set`,
    place,
  );
}

const ordinals = ['first', 'second', 'third', 'fourth'];

/** Reads a cell that must not be empty. `what` describes its content in messages, such as `a column`. */
export function requiredCell({ cells, place, parameter }: Row, index: number, what: string): SourceText {
  const cell = cells[index];
  if (cell !== undefined && cell.text !== '') return cell;
  const message = `a row of ${parameter} has no ${what}: its ${ordinals[index] ?? 'next'} cell is empty or missing`;
  throw new ParameterError(message, cell?.placeOf(0) ?? place);
}

/** The position of a parameter. If the parameter is not set, the position of all parameters. */
export function placeOf({ parameters, reader }: Binding, key: string): Place {
  return placeOfNode(childOf(parameters, key) ?? parameters, reader);
}

/** Reads a row that must have exactly two cells. */
export function readPair(row: Row, first: string, second: string): readonly [SourceText, SourceText] {
  const pair = [requiredCell(row, 0, first), requiredCell(row, 1, second)] as const;
  const extra = row.cells[2];
  if (extra === undefined) return pair;
  throw new ParameterError(
    `a row of ${row.parameter} must have two cells (1: ${first}, 2: ${second}), but this row has ${row.cells.length}`,
    extra.placeOf(0),
  );
}
