import { itemsOf, textOf, type YamlNode } from '../../yaml/yaml-node.ts';

/** Rows of cells; every cell is text, an empty cell is the empty text. */
export type Grid = readonly (readonly string[])[];

/** Parses a list of rows. A single value, as in a plain list of names, is a row with one cell. */
export function gridOf(node: YamlNode | undefined): Grid {
  return itemsOf(node).map((row) =>
    (row.kind === 'list' ? row.items : [row]).map((cell) => textOf(cell) ?? ''),
  );
}

/** Parses a list of names, each plain or as a row with one cell; leaves out everything else. */
export function namesIn(node: YamlNode | undefined): readonly string[] {
  return gridOf(node).flatMap(([name = '', ...more]) => (name === '' || more.length > 0 ? [] : name));
}
