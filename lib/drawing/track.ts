import type { Bands } from './bands.ts';
import type { LayoutNode } from './boxes.ts';
import type { Pair } from './ranks.ts';

/** Something that takes space in a column: a node, or a line that passes through. */
export interface Item {
  /** The index of the node; undefined for a line that passes. */
  readonly node: number | undefined;
  readonly rank: number;
  /** Items of one band are below each other in each column: a group, or a node without a group. */
  readonly band: number;
  readonly height: number;
  /** In neighbouring columns. */
  readonly before: Item[];
  readonly after: Item[];
  /** The place within its band and column: first an index, then the y of its upper border. */
  row: number;
}

export interface Items {
  /** By column, then by band. */
  readonly columns: readonly ReadonlyMap<number, Item[]>[];
  /** By node. */
  readonly ofNodes: readonly Item[];
  /** The lines by which each edge passes columns, in its direction. */
  readonly tracks: readonly (readonly Item[])[];
  /** The group of each band, from top to bottom. */
  readonly bands: readonly (string | undefined)[];
}

/** The space of a line that passes. */
const trackHeight = 10;
/** Above this number of passing lines, edges go straight: space for all of them would take more time and room than it is worth. */
const maxTracks = 50_000;

/**
 * The nodes, and the lines that pass through columns. Edges of one kind share a line if they leave the same node
 * for the same band, or arrive at the same node. Edges leave at the right and arrive at the left, so an edge to a
 * node that is not further right also passes through the columns of both nodes.
 */
export function laidOutItems(
  nodes: readonly LayoutNode[],
  graph: {
    readonly ranks: readonly number[];
    readonly pairs: readonly Pair[];
    /** Of each edge. */
    readonly kinds: readonly string[];
    readonly bands: Bands;
  },
): Items {
  const { ranks, pairs, bands, kinds } = graph;
  const columns: Map<number, Item[]>[] = [];
  const add = (item: Item): Item => {
    const column = (columns[item.rank] ??= new Map<number, Item[]>());
    const cell = column.get(item.band) ?? [];
    item.row = cell.length;
    cell.push(item);
    column.set(item.band, cell);
    return item;
  };
  const ofNodes = nodes.map(({ height }, node) =>
    add({
      node,
      rank: ranks[node] ?? 0,
      band: bands.bandOf[node] ?? 0,
      height,
      before: [],
      after: [],
      row: 0,
    }),
  );
  const counts = new Map<string, number>();
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const [index, [source, target]] of pairs.entries()) {
    count(`from ${source} ${kinds[index]}`);
    count(`to ${target} ${kinds[index]}`);
  }
  const shared = new Map<string, Item>();
  const tracks = pairs.map(([source, target], index): readonly Item[] => {
    const [from, to] = [ofNodes[source], ofNodes[target]];
    if (from === undefined || to === undefined) return [];
    const isForward = to.rank > from.rank;
    const [ofSource, ofTarget] = [`from ${source} ${kinds[index]}`, `to ${target} ${kinds[index]}`];
    const isOfTarget = (counts.get(ofTarget) ?? 0) > (counts.get(ofSource) ?? 0);
    const passed: Item[] = [];
    let [last, isNew] = [from, true];
    for (const rank of columnsBetween(from.rank, to.rank)) {
      const key = `${isOfTarget ? ofTarget : ofSource} ${to.band} ${isForward} ${rank}`;
      const known = shared.get(key);
      if (known === undefined && shared.size >= maxTracks) break;
      const item =
        known ??
        add({ node: undefined, rank, band: to.band, height: trackHeight, before: [], after: [], row: 0 });
      shared.set(key, item);
      // Lines that several edges share are connected once.
      if (known === undefined || (isOfTarget && isNew)) connect(last, item);
      isNew = known === undefined;
      passed.push(item);
      last = item;
    }
    if (isNew || !isOfTarget) connect(last, to);
    return passed;
  });
  return {
    columns: Array.from(columns, (column) => column ?? new Map()),
    ofNodes,
    tracks,
    bands: bands.groups,
  };
}

/** The columns that an edge passes, in its direction. */
function columnsBetween(from: number, to: number): readonly number[] {
  if (to > from) return Array.from({ length: to - from - 1 }, (_, index) => from + 1 + index);
  return Array.from({ length: from - to + 1 }, (_, index) => from - index);
}

/** Notes neighbours, if they are in columns beside each other. */
function connect(from: Item, to: Item): void {
  const [left, right] = from.rank < to.rank ? [from, to] : [to, from];
  if (left.rank !== right.rank - 1) return;
  left.after.push(right);
  right.before.push(left);
}
