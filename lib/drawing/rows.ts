import type { Item, Items } from './track.ts';

const sweeps = 4;

/**
 * Sorts the items of each cell so that few lines cross: by the mean position of their neighbours, column by column,
 * forwards and backwards.
 */
export function sortRows({ columns, bands }: Items): void {
  const offsets = bandOffsets({ columns, bands });
  const placeOf = ({ band, row }: Item) => (offsets[band] ?? 0) + row;
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isForward = sweep % 2 === 0;
    for (const column of isForward ? columns : columns.toReversed())
      for (const cell of column.values())
        sortCell(cell, ({ before, after }) => mean((isForward ? before : after).map(placeOf)));
  }
}

function sortCell(cell: Item[], target: (item: Item) => number | undefined): void {
  if (cell.length < 2) return;
  const keyed = cell.map((item, index) => ({ item, target: target(item), index }));
  // What nothing leads to stays beside the one before it.
  let last = -Infinity;
  const keys = keyed.map((each) => ({ ...each, key: (last = each.target ?? last) }));
  const sorted = keys.toSorted((a, b) => (a.key === b.key ? a.index - b.index : a.key - b.key));
  for (const [row, { item }] of sorted.entries()) {
    cell[row] = item;
    item.row = row;
  }
}

export function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** How many rows the bands above have. */
function bandOffsets({ columns, bands }: Pick<Items, 'columns' | 'bands'>): readonly number[] {
  const heights = bands.map(() => 1);
  for (const column of columns)
    for (const [band, cell] of column) heights[band] = Math.max(heights[band] ?? 1, cell.length);
  let sum = 0;
  return heights.map((height) => (sum += height) - height);
}
