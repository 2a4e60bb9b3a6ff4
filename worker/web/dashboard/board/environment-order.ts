/** A step from one environment to the next. */
export interface Link {
  readonly from: string;
  readonly to: string;
}

/**
 * For each environment, the maximum number of lanes that a version passes before it. In a cycle, counting stops at
 * the number of environments.
 */
export function environmentDepths(links: readonly Link[]): ReadonlyMap<string, number> {
  const depths = new Map(links.flatMap(({ from, to }) => [from, to]).map((name) => [name, 0]));
  const pairs = [...new Map(links.map((link) => [`${link.from}\n${link.to}`, link])).values()];
  for (let round = 1; round < depths.size; round += 1) {
    let isChanged = false;
    for (const { from, to } of pairs) {
      const depth = (depths.get(from) ?? 0) + 1;
      if (from === to || depth <= (depths.get(to) ?? 0) || depth >= depths.size) continue;
      depths.set(to, depth);
      isChanged = true;
    }
    if (!isChanged) break;
  }
  return depths;
}

/**
 * Orders lanes into paths. Each lane is in exactly one path, and begins where the lane before it ends. The first
 * path begins at the environment where versions are published.
 */
export function pathsOf<Lane extends Link>(lanes: readonly Lane[]): readonly (readonly Lane[])[] {
  const depths = environmentDepths(lanes);
  const depthOf = ({ from }: Lane): number => depths.get(from) ?? 0;
  const ordered = lanes.toSorted((a, b) => depthOf(a) - depthOf(b));
  const left = Map.groupBy(ordered, ({ from }) => from);
  const takeFrom = (environment: string): Lane | undefined => left.get(environment)?.shift();
  const paths: Lane[][] = [];
  for (const { from } of ordered) {
    const path: Lane[] = [];
    for (let lane = takeFrom(from); lane !== undefined; lane = takeFrom(lane.to)) path.push(lane);
    if (path.length > 0) paths.push(path);
  }
  return paths;
}
