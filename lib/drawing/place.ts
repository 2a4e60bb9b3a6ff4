import { type Box, groupPadding, groupTitle, type Layout, type LayoutNode, type Point } from './boxes.ts';
import type { Pair } from './ranks.ts';
import { mean } from './rows.ts';
import type { Item, Items } from './track.ts';

/** Between two items of a column. */
const rowGap = 10;
const bandGap = 14;
const margin = 24;
/** Between two columns: more, the more lines cross the gap. */
const minGap = 56;
const maxGap = 168;
const passes = 4;

/** Computes the coordinates of all items. */
export function place(
  nodes: readonly LayoutNode[],
  pairs: readonly Pair[],
  { items, titleWidth }: { readonly items: Items; readonly titleWidth: (group: string) => number },
): Layout {
  const { columns, ofNodes, bands, tracks } = items;
  const heights = alignRows(items);
  const lefts = columnsOf(nodes, columns);
  const tops = stackBands(items, heights);
  const boxes = nodes.map(({ width, height }, node): Box => {
    const { rank, band, row } = ofNodes[node] ?? { rank: 0, band: 0, row: 0 };
    return { x: lefts[rank]?.x ?? 0, y: (tops[band] ?? 0) + row, width, height };
  });
  const groups = new Map(
    Array.from(Map.groupBy(boxes.keys(), (node) => ofNodes[node]?.band ?? 0)).flatMap(([band, members]) => {
      const group = bands[band];
      if (group === undefined) return [];
      const left = Math.min(...extremes(members.map((node) => boxes[node]?.x ?? 0)));
      const right = Math.max(
        ...extremes(members.map((node) => (boxes[node]?.x ?? 0) + (boxes[node]?.width ?? 0))),
      );
      const last = members.reduce((most, node) => Math.max(most, ofNodes[node]?.rank ?? 0), 0);
      // Up to the group that may be beside it.
      const room = (lefts[last + 1]?.x ?? Infinity) - left - groupPadding - 4;
      const box = {
        x: left - groupPadding,
        y: (tops[band] ?? 0) - groupTitle,
        width: Math.max(
          right - left + 2 * groupPadding,
          Math.min(titleWidth(group) + 2 * groupPadding, room),
        ),
        height: (heights[band] ?? 0) + groupTitle + groupPadding,
      };
      return [[group, box] as const];
    }),
  );
  const lineOf = ([from, to]: Pair, index: number): readonly Point[] => {
    const [start, end] = [boxes[from], boxes[to]];
    const own = lefts[ofNodes[from]?.rank ?? 0];
    if (start === undefined || end === undefined || own === undefined) return [];
    const y = start.y + start.height / 2;
    const line = [
      { x: start.x + start.width, y },
      { x: own.x + own.width, y },
    ];
    const isForward = end.x > start.x;
    for (const { rank, band, row, height } of tracks[index] ?? []) {
      const { x = 0, width = 0 } = lefts[rank] ?? {};
      const passing = (tops[band] ?? 0) + row + height / 2;
      const [enter, leave] = isForward ? [x, x + width] : [x + width, x];
      const isStraight = line.length > 2 && Math.abs((line.at(-1)?.y ?? 0) - passing) < 0.5;
      if (isStraight) line[line.length - 1] = { x: leave, y: line.at(-1)?.y ?? passing };
      else line.push({ x: enter, y: passing }, { x: leave, y: passing });
    }
    return [...line, { x: end.x, y: end.y + end.height / 2 }];
  };
  const all = [...boxes, ...groups.values()];
  return {
    width: all.reduce((most, { x, width }) => Math.max(most, x + width), 0) + margin,
    height: all.reduce((most, { y, height }) => Math.max(most, y + height), 0) + margin,
    nodes: new Map(nodes.map(({ id }, node) => [id, boxes[node] ?? { x: 0, y: 0, width: 0, height: 0 }])),
    groups,
    edges: pairs.map(lineOf),
  };
}

/** Least and greatest of many numbers: a call cannot have any number of arguments. */
function extremes(values: readonly number[]): readonly [number, number] {
  return values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)] as const, [
    Infinity,
    -Infinity,
  ] as const);
}

function columnsOf(
  nodes: readonly LayoutNode[],
  columns: Items['columns'],
): readonly { readonly x: number; readonly width: number }[] {
  let x = margin + groupPadding;
  return columns.map((column) => {
    const cells = [...column.values()].flat();
    const width = cells.reduce((most, { node }) => Math.max(most, nodes[node ?? -1]?.width ?? 0), 0);
    const lines = cells.reduce((sum, { after }) => sum + after.length, 0);
    const left = x;
    x += width + Math.min(maxGap, minGap + 6 * Math.sqrt(lines));
    return { x: left, width };
  });
}

/**
 * Sets `row` to a y within the band: each item as near as possible to its neighbours of the same band, without changing the order. Returns
 * the height of each band.
 */
function alignRows({ columns, bands }: Items): readonly number[] {
  const heights = bands.map(() => 0);
  for (const column of columns)
    for (const [band, cell] of column) {
      let y = 0;
      for (const item of cell) {
        item.row = y;
        y += item.height + rowGap;
      }
      heights[band] = Math.max(heights[band] ?? 0, y - rowGap);
    }
  for (let pass = 0; pass < passes; pass += 1) {
    const isForward = pass % 2 === 0;
    for (const column of isForward ? columns : columns.toReversed())
      for (const [band, cell] of column) alignCell(cell, heights[band] ?? 0, isForward);
  }
  return heights;
}

/** Where the items of a cell want to be, moved apart as little as possible. */
function alignCell(cell: readonly Item[], height: number, isForward: boolean): void {
  const starts: number[] = [];
  let used = 0;
  for (const item of cell) {
    starts.push(used);
    used += item.height + rowGap;
  }
  const total = used - rowGap;
  // Without what the items above take up, the places need only not decrease.
  const targets = cell.map((item, index) => {
    const beside = (isForward ? item.before : item.after).filter(({ band }) => band === item.band);
    const centre = mean(beside.map((other) => other.row + other.height / 2));
    return (centre === undefined ? item.row : centre - item.height / 2) - (starts[index] ?? 0);
  });
  for (const [index, y] of notDecreasing(targets).entries()) {
    const item = cell[index];
    if (item !== undefined) item.row = (starts[index] ?? 0) + Math.min(Math.max(y, 0), height - total);
  }
}

/** The values nearest to the given ones (least squares) of which none is less than the one before: pools of neighbours get their mean. */
function notDecreasing(values: readonly number[]): readonly number[] {
  const pools: { sum: number; count: number }[] = [];
  for (const value of values) {
    let pool = { sum: value, count: 1 };
    for (let last = pools.at(-1); last !== undefined; last = pools.at(-1)) {
      if (last.sum / last.count <= pool.sum / pool.count) break;
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
}

/** The y of the content of each band, below the bands above it in any of its columns. */
function stackBands({ columns, bands }: Items, heights: readonly number[]): readonly number[] {
  const ranks = bands.map(() => ({ first: Infinity, last: -1 }));
  for (const [rank, column] of columns.entries())
    for (const band of column.keys()) {
      const range = ranks[band];
      if (range === undefined) continue;
      range.first = Math.min(range.first, rank);
      range.last = rank;
    }
  const bottoms = columns.map(() => margin);
  return ranks.map(({ first, last }, band) => {
    const top = bottoms.slice(first, last + 1).reduce((most, bottom) => Math.max(most, bottom), margin);
    const hasBox = bands[band] !== undefined;
    const y = top + (hasBox ? groupTitle : 0);
    const bottom = y + (heights[band] ?? 0) + (hasBox ? groupPadding : 0) + bandGap;
    bottoms.fill(bottom, first, last + 1);
    return y;
  });
}
