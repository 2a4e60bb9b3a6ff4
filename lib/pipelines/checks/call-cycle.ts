import { callCycles } from '../model/call-cycles.ts';
import { calledPath, type CallTargets } from '../model/calls.ts';
import { type CheckBreach, type CheckSteps, limited } from './breach.ts';
import type { CallFact } from './call-facts.ts';

/**
 * Prepares all pipelines of a project, and returns a function that finds in some of them the calls that lead back
 * to their own pipeline. The message shows the shortest cycle, or the beginning of a cycle of more than ten
 * pipelines. In each file, at most the first calls are reported.
 */
export function cyclesIn(
  callsOf: ReadonlyMap<string, readonly CallFact[]>,
  targets: CallTargets,
): (files: Iterable<string>) => CheckSteps {
  const next = new Map<string, readonly string[]>();
  for (const [file, calls] of callsOf)
    next.set(file, [...new Set(calls.flatMap((call) => calledPath(call, targets) ?? []))]);
  const cycles = callCycles(next);

  function* inFile(file: string): Generator<CheckBreach | undefined, void, undefined> {
    for (const { component, target, range, ...call } of callsOf.get(file) ?? []) {
      yield undefined;
      const called = calledPath({ ...call, target }, targets);
      const cycle = called === undefined ? undefined : cycles.through(file, called);
      if (cycle === undefined) continue;
      const path = cycle.isCut ? cycle.path.toSpliced(-1, 0, '…') : cycle.path;
      const message = `The component "${component}" calls a pipeline that, in the end, calls this one again: ${[file, ...path].join(' → ')}.`;
      yield { check: 'call-cycle', file, component, subject: target, message, range };
    }
  }

  return function* inFiles(files) {
    for (const file of files) yield* limited(inFile(file));
  };
}
