import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { SnapshotCall } from '../snapshot.ts';
import type { ChangedPipeline } from './changed-pipelines.ts';
import { byLine, type Edge } from './edges.ts';
import type { ProjectFacts } from './project-facts.ts';

/**
 * The connections from callers to the pipelines that they call. A changed caller may call differently or not at
 * all, and a caller that reads a table may pass other values. Then the called pipeline writes other data, although
 * it has not changed.
 */
export function passedEdges(
  now: ProjectFacts,
  before: ProjectFacts,
  changed: readonly ChangedPipeline[],
): readonly Edge[] {
  const edges: Edge[] = [];
  const add = (from: string, to: string, how: string) => {
    if (from !== to) edges.push({ from, to, line: 1, how, table: undefined, isSure: true, movesData: true });
  };
  const passing = new Set<string>();
  for (const { pipeline } of changed)
    for (const called of otherCalls(pipeline, now, before)) {
      passing.add(called);
      add(pipeline, called, `is called by ${withoutSuffix(pipeline)}, which no longer calls it as before`);
    }
  // The loop also visits what it adds.
  for (const pipeline of passing)
    for (const { called, call } of calls(pipeline, now))
      if (call.fromVariables === true) {
        passing.add(called);
        add(pipeline, called, `is called by ${withoutSuffix(pipeline)}, which may pass on other values`);
      }
  for (const pipeline of now.pipelines.keys())
    for (const { called, call } of calls(pipeline, now))
      if (call.fromData === true)
        add(
          pipeline,
          called,
          `is called by ${withoutSuffix(pipeline)}, with values or conditions that depend on data`,
        );
  return edges;
}

interface MadeCall {
  readonly call: SnapshotCall;
  readonly called: string;
}

function calls(path: string, { pipelines }: ProjectFacts): readonly MadeCall[] {
  const pipeline = pipelines.get(path);
  if (pipeline === undefined || pipeline.unreadable !== undefined) return [];
  return byLine(pipeline.calls).flatMap((call) =>
    call.path === undefined ? [] : [{ call, called: call.path }],
  );
}

/** The pipelines that a pipeline does not call as it did, or that it calls only now or only before. */
function otherCalls(pipeline: string, now: ProjectFacts, before: ProjectFacts): ReadonlySet<string> {
  const left = new Map(calls(pipeline, before).map((each) => [each.call.component, each]));
  const other = new Set<string>();
  for (const { call, called } of calls(pipeline, now)) {
    const was = left.get(call.component);
    if (was?.called === called && was.call.context === call.context) left.delete(call.component);
    else other.add(called);
  }
  for (const { called } of left.values()) if (now.has(called)) other.add(called);
  return other;
}
