import { tableKey } from '../data-graph/bind/table-definitions.ts';
import { allUnreadParts } from '../data-graph/texts/unread-parts.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import type { Sides } from './check-samples.ts';
import { boundOf, type SideGraph, usedTables, withCalled } from './sample-graphs.ts';

/** What a run does with tables, with all pipelines that it calls. */
interface Uses {
  /** Keys of the tables that it reads or writes, and of the tables that it writes. */
  readonly used: ReadonlySet<string>;
  readonly written: ReadonlySet<string>;
  /** Names of tables, in lower case, in code that cannot be bound: code that may use them, and code that may write them. */
  readonly mayUse: ReadonlySet<string>;
  readonly mayWrite: ReadonlySet<string>;
  /** Whether names of tables depend on what is known only at run time. */
  readonly usesOthers: boolean;
  readonly writesOthers: boolean;
}

/** The tables that a run reads and writes, on both sides. */
export type RunUses = readonly Uses[];

/**
 * Finds the tables that each run reads and writes.
 * @param planned the runs of each side; undefined for one that the side does not have, a text for one that cannot
 * run
 */
export function usesOfRuns(
  planned: Record<keyof Sides, readonly (PlannedTest | string | undefined)[]>,
  sides: Sides,
): readonly RunUses[] {
  const usesOn = { now: usesOf(sides.now), before: usesOf(sides.before) };
  return planned.now.map((_, index) =>
    (['now', 'before'] as const).flatMap((side) => {
      const test = planned[side][index];
      return typeof test === 'object' ? [usesOn[side](test.document.path)] : [];
    }),
  );
}

function usesOf({ graph }: SideGraph): (path: string) => Uses {
  const names = new Set(usedTables(graph).map(({ table }) => table.toLowerCase()));
  const unread = allUnreadParts(graph);
  return (path) => {
    const paths = withCalled(graph, [path]);
    const bound = boundOf({ graph, paths });
    const parts = unread.filter(({ pipeline }) => paths.has(pipeline));
    const writes = parts.flatMap((part) => part.written);
    const written = new Set(bound.flatMap((each) => each.writes.map(({ table }) => tableKey(table))));
    const reads = bound.flatMap((each) => each.reads.map(({ table }) => tableKey(table)));
    const open = bound.flatMap((each) => each.open);
    const namesIn = (words: Iterable<string>) => new Set(words).intersection(names);
    const isAny = ({ words, isAny: any }: (typeof writes)[number]) => any && namesIn(words).size === 0;
    return {
      used: new Set(reads).union(written),
      written,
      mayUse: namesIn(parts.flatMap(({ words }) => [...words.keys()])),
      mayWrite: namesIn(writes.flatMap(({ words }) => [...words])),
      usesOthers: open.length > 0 || parts.some((part) => part.open.length > 0),
      writesOthers: open.some(({ effect }) => effect === 'write') || writes.some(isAny),
    };
  };
}

/** The later runs that use a table of a failed run, directly or through other runs, each with the failed run. */
export function dependentRuns(
  uses: readonly RunUses[],
  failed: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  const origins = new Map<number, number>();
  for (const [index, later] of uses.entries()) {
    if (failed.has(index)) continue;
    const source = uses.findIndex((earlier, other) => {
      const isLost = other < index && (failed.has(other) || origins.has(other));
      return isLost && earlier.some((one) => later.some((two) => mayMeet(one, two)));
    });
    if (source >= 0) origins.set(index, origins.get(source) ?? source);
  }
  return origins;
}

/** Whether a later run may use a table that an earlier one writes. */
function mayMeet(earlier: Uses, later: Uses): boolean {
  const writesSome = earlier.written.size + earlier.mayWrite.size > 0 || earlier.writesOthers;
  const usesSome = later.used.size + later.mayUse.size > 0 || later.usesOthers;
  return (
    !earlier.written.isDisjointFrom(later.used) ||
    !namesOf(earlier.written).isDisjointFrom(later.mayUse) ||
    !earlier.mayWrite.isDisjointFrom(namesOf(later.used).union(later.mayUse)) ||
    (earlier.writesOthers && usesSome) ||
    (later.usesOthers && writesSome)
  );
}

/** The names of tables in lower case, without database and schema. */
function namesOf(keys: Iterable<string>): ReadonlySet<string> {
  return new Set(Array.from(keys, (key) => (JSON.parse(key) as string[]).at(-1)?.toLowerCase() ?? ''));
}
