import {
  type PlaceOf,
  type FixtureReadOptions,
  readFixture,
  rowsOf,
  type WrittenRows,
} from '../../../engine/index.ts';
import { childOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { located } from './read-parts.ts';

/** What is needed to read the parts of one test file. */
export interface Reading extends FixtureReadOptions {
  readonly placeOf: PlaceOf;
  /** The text of the file. */
  readonly text: string;
}

/** Reads the rows of a table: under `rows`, or in the file that `file` names; undefined if it has neither. */
export async function contentOf(node: YamlNode, reading: Reading): Promise<WrittenRows | undefined> {
  const rows = childOf(node, 'rows');
  if (rows?.kind === 'list') return rowsOf(rows, reading.placeOf, reading.text);
  const file = located(childOf(node, 'file'), reading.placeOf);
  return file === undefined ? undefined : readFixture(file, reading);
}
