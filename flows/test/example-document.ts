import { hasParts, type ValueShape } from './value-shape.ts';

export type Document =
  string | number | boolean | null | readonly Document[] | { readonly [key: string]: Document };

/** The value of a part without parts of its own; `key` is its key, for a guess of its type. */
export type Leaf = (part: ValueShape, key: string, row: 0 | 1) => Document;

/**
 * A small value with all parts of a shape. A list has two items in the first example row and one in the second, so that
 * rows of items differ from those of the table.
 */
export function exampleDocument(shape: ValueShape, row: 0 | 1, leaf: Leaf, key = ''): Document {
  const { items, keys, isObject, minItems } = shape;
  if (!hasParts(shape)) return leaf(shape, key, row);
  if (items === undefined || (keys.size > 0 && !isObject)) {
    const entries = [...keys].map(([name, part]) => [name, exampleDocument(part, row, leaf, name)] as const);
    return Object.fromEntries(entries);
  }
  const rows = row === 0 ? ([0, 1] as const) : ([1] as const);
  const missing = Array.from({ length: Math.max(0, minItems - rows.length) }, () => 1 as const);
  const list = [...rows, ...missing].map((item) => exampleDocument(items, item, leaf, key));
  return isObject ? Object.fromEntries(list.map((item, at) => [`item${at + 1}`, item])) : list;
}
