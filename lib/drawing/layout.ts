import { place } from './place.ts';
import type { Layout, LayoutEdge, LayoutNode } from './boxes.ts';
import { type Bands, bandsOf } from './bands.ts';
import { type Pair, ranksOf } from './ranks.ts';
import { sortRows } from './rows.ts';
import { laidOutItems } from './track.ts';

/** With more columns than this, each group begins in the first column: the picture would be too wide to read. */
const maxColumns = 14;

/**
 * Places a graph in columns from left to right. An edge leads to a column further right, unless it closes a cycle
 * or, in a deep graph, leads to another group. Groups are boxes that do not overlap, ordered so that most edges
 * lead down. The same graph always has the same layout. The time is about proportional to n log n. Throws Error for
 * an edge whose node is missing.
 * @param titleWidth the width for the name of a group; a group gets it as far as there is room
 */
export function layoutGraph(
  nodes: readonly LayoutNode[],
  edges: readonly LayoutEdge[],
  titleWidth: (group: string) => number = () => 0,
): Layout {
  const indices = new Map(nodes.map(({ id }, index) => [id, index]));
  const at = (id: string): number => {
    const index = indices.get(id);
    if (index === undefined)
      throw new Error(`an edge names the node ${JSON.stringify(id)}, which is missing`);
    return index;
  };
  const pairs = edges.map(({ from, to }) => [at(from), at(to)] as const);
  const groups = nodes.map(({ group }) => group);
  const bands = bandsOf(nodes, pairs);
  const all = ranksOf(groups, pairs);
  const isDeep = all.some((rank) => rank >= maxColumns);
  const kinds = edges.map(({ kind = '' }) => kind);
  const items = laidOutItems(nodes, {
    kinds,
    ranks: isDeep ? ranksByBand(groups, pairs, bands) : all,
    pairs,
    bands,
  });
  sortRows(items);
  return place(nodes, pairs, { items, titleWidth });
}

/** The columns if each band begins at the left; a band to which an edge leads, one column later. */
function ranksByBand(
  groups: readonly (string | undefined)[],
  pairs: readonly Pair[],
  { bandOf }: Bands,
): readonly number[] {
  const isWithin = ([from, to]: Pair) => bandOf[from] === bandOf[to];
  const entered = new Set(pairs.filter((pair) => !isWithin(pair)).map(([, to]) => bandOf[to]));
  return ranksOf(groups, pairs.filter(isWithin)).map((rank, node) =>
    entered.has(bandOf[node]) ? rank + 1 : rank,
  );
}
