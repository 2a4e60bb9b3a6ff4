import { calledPath, type CallTargets } from '../model/calls.ts';
import { type CheckBreach, firstBreaches } from './breach.ts';
import type { CallFact } from './call-facts.ts';

/** Each call that leads back to its own pipeline, with the shortest cycle; of each file at most the first calls. */
export function* callCycles(
  files: Iterable<string>,
  callsOf: ReadonlyMap<string, readonly CallFact[]>,
  targets: CallTargets,
): Generator<CheckBreach, void, undefined> {
  const next = new Map<string, readonly string[]>();
  for (const [file, calls] of callsOf) {
    next.set(file, [...new Set(calls.flatMap((call) => calledPath(call, targets) ?? []))]);
  }
  for (const file of files) yield* firstBreaches(cyclesOf(file, callsOf.get(file) ?? [], { next, targets }));
}

interface Calls {
  /** The pipelines that each pipeline calls. */
  readonly next: ReadonlyMap<string, readonly string[]>;
  readonly targets: CallTargets;
}

function* cyclesOf(
  file: string,
  calls: readonly CallFact[],
  { next, targets }: Calls,
): Generator<CheckBreach, void, undefined> {
  for (const call of calls) {
    const { component, target, range } = call;
    const called = calledPath(call, targets);
    const path = called === undefined ? undefined : shortestPath(called, file, next);
    if (path === undefined) continue;
    const message = `The component "${component}" calls a pipeline that, in the end, calls this one again: ${[file, ...path].join(' → ')}.`;
    yield { check: 'call-cycle', file, component, subject: target, message, range };
  }
}

/** The shortest path of calls from one pipeline to another, both included; undefined if there is none. */
function shortestPath(
  from: string,
  to: string,
  next: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const before = new Map<string, string | undefined>([[from, undefined]]);
  // A map also iterates over entries that are added during the iteration.
  for (const at of before.keys()) {
    if (at === to) {
      const path: string[] = [];
      for (let step: string | undefined = to; step !== undefined; step = before.get(step)) path.unshift(step);
      return path;
    }
    for (const other of next.get(at) ?? []) if (!before.has(other)) before.set(other, at);
  }
  return undefined;
}
