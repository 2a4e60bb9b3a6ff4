/** Tells which pipelines lead back to themselves through their calls. */
export interface CallCycles {
  /**
   * A way from a pipeline back to itself that begins with this call, as the pipelines after the first one; undefined if there is
   * none. Of a way with more than ten pipelines it has the first ones, and `isCut`.
   */
  through(file: string, called: string): CyclePath | undefined;
}

export interface CyclePath {
  /** Begins with the called pipeline and ends with the caller. */
  readonly path: readonly string[];
  /** Pipelines are left out before the last one. */
  readonly isCut: boolean;
}

/** How many pipelines of a cycle are listed. */
const maxListed = 10;

/** How many calls a search for the shortest cycle through one pipeline follows: there may be as many searches as pipelines. */
const maxFollowed = 2000;

/**
 * Finds the groups of pipelines that call each other. A call closes a cycle if it stays in its group. The time is
 * linear in the number of calls. A cycle of at most ten pipelines is the shortest one, unless thousands of calls
 * lead to it.
 */
export function callCycles(next: ReadonlyMap<string, readonly string[]>): CallCycles {
  const groups = groupsOf(next);
  const callers = callersInGroups(next, groups);
  // The last search is enough: a file's calls are asked for one after the other.
  let last: { readonly file: string; readonly steps: ReadonlyMap<string, string> } | undefined;
  const roots = new Map<number, ReadonlyMap<string, string>>();
  const towardRoot = (group: number, member: string) => {
    // Each member of a group is reached from each other one, so any of them can be the root.
    const steps = roots.get(group) ?? stepsToward(member, callers, { depth: Infinity, followed: Infinity });
    roots.set(group, steps);
    return steps;
  };
  return {
    through(file, called) {
      const group = groups.get(file);
      if (group === undefined || groups.get(called) !== group) return undefined;
      if (called === file)
        return (next.get(file) ?? []).includes(file) ? { path: [file], isCut: false } : undefined;
      if (last?.file !== file) {
        const limits = { depth: maxListed - 1, followed: maxFollowed };
        last = { file, steps: stepsToward(file, callers, limits) };
      }
      const isNear = last.steps.has(called);
      const steps = isNear ? last.steps : towardRoot(group, file);
      const path: string[] = [];
      let at: string | undefined = called;
      for (; at !== undefined && at !== file && path.length < maxListed - 1; at = steps.get(at))
        path.push(at);
      return { path: [...path, file], isCut: at !== file };
    },
  };
}

/** For each pipeline that leads to `target` within the limits, the next pipeline on a shortest way there. */
function stepsToward(
  target: string,
  callers: ReadonlyMap<string, readonly string[]>,
  limits: { readonly depth: number; readonly followed: number },
): ReadonlyMap<string, string> {
  const steps = new Map<string, string>();
  let followed = 0;
  let level: readonly string[] = [target];
  for (let depth = 0; depth < limits.depth && level.length > 0; depth += 1) {
    const further: string[] = [];
    for (const at of level) {
      for (const caller of callers.get(at) ?? []) {
        followed += 1;
        if (followed > limits.followed) return steps;
        if (caller === target || steps.has(caller)) continue;
        steps.set(caller, at);
        further.push(caller);
      }
    }
    level = further;
  }
  return steps;
}

/** By pipeline: its callers in the same group. */
function callersInGroups(
  next: ReadonlyMap<string, readonly string[]>,
  groups: ReadonlyMap<string, number>,
): ReadonlyMap<string, readonly string[]> {
  const callers = new Map<string, string[]>();
  for (const [file, calledFiles] of next) {
    for (const called of calledFiles) {
      if (groups.get(called) !== groups.get(file)) continue;
      const list = callers.get(called);
      if (list === undefined) callers.set(called, [file]);
      else list.push(file);
    }
  }
  return callers;
}

/** The strongly connected components, by Tarjan's algorithm without recursion: the number of the group of each pipeline. */
function groupsOf(next: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const groups = new Map<string, number>();
  const order = new Map<string, number>();
  /** The earliest pipeline that is reached from each one and is not in a group yet. */
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const numberOf = (name: string) => lowest.get(name) ?? 0;
  for (const start of next.keys()) {
    if (order.has(start)) continue;
    const visits: { readonly name: string; at: number }[] = [{ name: start, at: 0 }];
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const { name } = visit;
      if (visit.at === 0) {
        lowest.set(name, order.size);
        order.set(name, order.size);
        open.push(name);
      }
      const called = next.get(name)?.[visit.at];
      visit.at += 1;
      if (called !== undefined) {
        if (!order.has(called)) visits.push({ name: called, at: 0 });
        else if (!groups.has(called)) lowest.set(name, Math.min(numberOf(name), order.get(called) ?? 0));
        continue;
      }
      visits.pop();
      const caller = visits.at(-1);
      if (caller !== undefined) lowest.set(caller.name, Math.min(numberOf(caller.name), numberOf(name)));
      if (numberOf(name) !== order.get(name)) continue;
      const number = order.get(name) ?? 0;
      for (const member of open.splice(open.lastIndexOf(name))) groups.set(member, number);
    }
  }
  return groups;
}
