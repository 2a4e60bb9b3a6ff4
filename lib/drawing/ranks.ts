/** An edge, as the indices of its nodes. */
export type Pair = readonly [from: number, to: number];

/**
 * Computes the column of each node, by longest paths: each edge leads at least one column to the right. An edge
 * that closes a cycle counts in the opposite direction; an edge from a node to itself does not count. Nodes without
 * edges fill the columns of their group.
 */
export function ranksOf(groups: readonly (string | undefined)[], pairs: readonly Pair[]): readonly number[] {
  const ranks = depthsOf(groups.length, pairs);
  const isLoner = Array.from(groups, () => true);
  for (const [from, to] of pairs) if (from !== to) isLoner[from] = isLoner[to] = false;
  spreadLoners(groups, { ranks, isLoner });
  return ranks;
}

/**
 * The length of the longest path to each node, ignoring edges that close a cycle. A node to which no edge leads is
 * placed just before the first node that it leads to.
 */
export function depthsOf(count: number, pairs: readonly Pair[]): number[] {
  const isBack = backEdges(count, pairs);
  const oriented = pairs.flatMap(([from, to], index): readonly Pair[] =>
    from === to ? [] : isBack[index] === true ? [[to, from]] : [[from, to]],
  );
  const next = neighbours(count, oriented);
  const open = Array.from({ length: count }, () => 0);
  for (const [, to] of oriented) open[to] = (open[to] ?? 0) + 1;
  const isStart = open.map((sources) => sources === 0);
  const order = open.flatMap((sources, index) => (sources === 0 ? [index] : []));
  const ranks = Array.from({ length: count }, () => 0);
  // The loop also visits what it adds.
  for (const from of order)
    for (const to of next[from] ?? []) {
      ranks[to] = Math.max(ranks[to] ?? 0, (ranks[from] ?? 0) + 1);
      open[to] = (open[to] ?? 0) - 1;
      if (open[to] === 0) order.push(to);
    }
  for (const [node, targets] of next.entries())
    if (isStart[node] === true && targets.length > 0)
      ranks[node] = targets.reduce((least, to) => Math.min(least, ranks[to] ?? 0), Infinity) - 1;
  return ranks;
}

/** The edges that close a cycle on a walk that begins where no edge leads to. */
function backEdges(count: number, pairs: readonly Pair[]): readonly boolean[] {
  const outgoing: number[][] = Array.from({ length: count }, () => []);
  const isTarget = Array.from({ length: count }, () => false);
  for (const [index, [from, to]] of pairs.entries()) {
    outgoing[from]?.push(index);
    if (from !== to) isTarget[to] = true;
  }
  const isBack = pairs.map(() => false);
  const state: ('open' | 'done' | undefined)[] = Array.from({ length: count });
  const starts = Array.from({ length: count }, (_, index) => index);
  for (const start of [...starts.filter((node) => isTarget[node] === false), ...starts]) {
    if (state[start] !== undefined) continue;
    // Each entry is a node with the number of its edges that were followed: a recursion could exhaust the stack.
    const path: { readonly node: number; followed: number }[] = [{ node: start, followed: 0 }];
    state[start] = 'open';
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const edge = outgoing[top.node]?.[top.followed];
      top.followed += 1;
      if (edge === undefined) {
        state[top.node] = 'done';
        path.pop();
        continue;
      }
      const to = pairs[edge]?.[1] ?? 0;
      if (state[to] === 'open') isBack[edge] = to !== top.node;
      if (state[to] !== undefined) continue;
      state[to] = 'open';
      path.push({ node: to, followed: 0 });
    }
  }
  return isBack;
}

function neighbours(count: number, pairs: readonly Pair[]): readonly (readonly number[])[] {
  const next: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of pairs) next[from]?.push(to);
  return next;
}

/** Nodes without an edge fill the columns of their group: all in the first one would be a long list. */
function spreadLoners(
  groups: readonly (string | undefined)[],
  { ranks, isLoner }: { readonly ranks: number[]; readonly isLoner: readonly boolean[] },
): void {
  const members = Map.groupBy(groups.keys(), (node) => groups[node]);
  for (const nodes of members.values()) {
    const loners = nodes.filter((node) => isLoner[node]);
    if (loners.length === 0) continue;
    const others = nodes.filter((node) => isLoner[node] === false).map((node) => ranks[node] ?? 0);
    const first = others.reduce((least, rank) => Math.min(least, rank), others.length === 0 ? 0 : Infinity);
    const last = others.reduce((most, rank) => Math.max(most, rank), first);
    const columns = Math.max(last - first + 1, Math.min(6, Math.ceil(Math.sqrt(loners.length / 2))));
    for (const [index, node] of loners.entries()) ranks[node] = first + (index % columns);
  }
}
