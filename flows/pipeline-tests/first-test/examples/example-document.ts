import { hasParts, type ValueShape } from './value-shape.ts';

export type Document =
  string | number | boolean | null | readonly Document[] | { readonly [key: string]: Document };

/** A value without inner parts. `key` is its key, from which its type is guessed. */
export type Leaf = (part: ValueShape, key: string, row: 0 | 1) => Document;

interface DocumentChoice {
  readonly row: 0 | 1;
  /** Each list has one item. Otherwise one of the first row has two, so that rows of items differ from the rows of the table. */
  readonly hasSingleItems: boolean;
  readonly leaf: Leaf;
}

/** A small semi-structured value that has all parts of a shape. */
export function exampleDocument(shape: ValueShape, choice: DocumentChoice, key = ''): Document {
  const { row, hasSingleItems, leaf } = choice;
  const { items, keys, isObject, minItems } = shape;
  if (!hasParts(shape)) return leaf(shape, key, row);
  if (items === undefined || (keys.size > 0 && !isObject)) {
    const entries = [...keys].map(([name, part]) => [name, exampleDocument(part, choice, name)] as const);
    return Object.fromEntries(entries);
  }
  const rows = row === 0 && !hasSingleItems ? ([0, 1] as const) : ([row] as const);
  const missing = Array.from({ length: Math.max(0, minItems - rows.length) }, () => 1 as const);
  const list = [...rows, ...missing].map((item) => exampleDocument(items, { ...choice, row: item }, key));
  return isObject ? Object.fromEntries(list.map((item, at) => [`item${at + 1}`, item])) : list;
}
