import { type KeyedRows, keyOf } from './find-key.ts';

/** Pairs of indices: the same row on both sides. */
export type Pairs = readonly (readonly [before: number, after: number])[];

/** Pairs rows with the same key. */
export function pairByKey(before: KeyedRows, after: KeyedRows, key: readonly number[]): Pairs {
  const places = new Map(after.map((row, index) => [keyOf(row, key), index]));
  return before.flatMap((row, index) => {
    const place = places.get(keyOf(row, key));
    return place === undefined ? [] : [[index, place] as const];
  });
}

/** Pairs equal rows. A row that occurs several times is paired as often as it occurs on both sides. */
export function pairEqual(before: KeyedRows, after: KeyedRows): Pairs {
  const places = Map.groupBy(indicesOf(after).toReversed(), (index) => JSON.stringify(after[index]));
  return before.flatMap((row, index) => {
    const place = places.get(JSON.stringify(row))?.pop();
    return place === undefined ? [] : [[index, place] as const];
  });
}

/** The indices of all rows. */
export function indicesOf(rows: KeyedRows): readonly number[] {
  return rows.map((_, index) => index);
}
