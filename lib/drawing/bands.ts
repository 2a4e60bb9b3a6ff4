import type { LayoutNode } from './boxes.ts';
import { depthsOf, type Pair } from './ranks.ts';

/** Horizontal bands of the picture, one below another: a group each, or a node without a group. */
export interface Bands {
  /** The group of each band, from top to bottom. */
  readonly groups: readonly (string | undefined)[];
  /** The band of each node. */
  readonly bandOf: readonly number[];
}

/** Orders the bands by the edges between them, and otherwise by their first nodes. */
export function bandsOf(nodes: readonly LayoutNode[], pairs: readonly Pair[]): Bands {
  const groups: (string | undefined)[] = [];
  const byGroup = new Map<string, number>();
  const first = nodes.map(({ group }) => {
    const known = group === undefined ? undefined : byGroup.get(group);
    if (known !== undefined) return known;
    if (group !== undefined) byGroup.set(group, groups.length);
    return groups.push(group) - 1;
  });
  const between = pairs.map(([from, to]): Pair => [first[from] ?? 0, first[to] ?? 0]);
  const depths = depthsOf(groups.length, between);
  const order = [...groups.keys()].toSorted((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0) || a - b);
  const places = new Map(order.map((band, index) => [band, index]));
  return {
    groups: order.map((band) => groups[band]),
    bandOf: first.map((band) => places.get(band) ?? 0),
  };
}
