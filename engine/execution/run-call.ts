import { callOf, resolveCall, sharedReferenceOf } from '../../lib/pipelines/calls.ts';
import type { Component } from '../../lib/pipelines/component.ts';
import type { PublishedFiles } from './execution-request.ts';
import type { GivenValues } from './pipeline-variables.ts';
import { resolveText } from './resolve-text.ts';
import { failure, type Frame, type Result, type RunComponent, success } from './run.ts';
import { runPipeline } from './run-pipeline.ts';
import type { ScriptedOutcome } from './scripted-outcome.ts';
import { simulate } from './simulate.ts';

/** Runs the pipeline that a component calls, with the scalar variables that the component passes. */
export async function runCall(
  component: Component,
  frame: Frame,
  runComponent: RunComponent,
  scripted: ScriptedOutcome | undefined,
): Promise<Result> {
  const { run, published, variables } = frame;
  const call = callOf(component);
  if (call === undefined) return simulate(frame, scripted);
  const target = resolveText(call.target, variables).text;
  if (target === '') return failure('it names no pipeline to run');
  const given: GivenValues = {
    scalars: call.scalarVariables.map(([name, value]) => [name, resolveText(value, variables).text]),
    // The form of `setGridVariables` is unknown (docs/unknowns.md): called pipelines keep their own grids.
    grids: [],
  };
  if (call.kind === 'shared') {
    const shared = sharedReferenceOf(target);
    if (shared === undefined) return failure(`"${target}" is not a shared pipeline: prefix#id is expected`);
    if (run.request.shared === undefined) return simulate(frame, scripted);
    const version = resolveText(call.version ?? '[Latest]', variables).text;
    const found = run.request.shared(shared.prefix, shared.id, version);
    if (found === undefined)
      return failure(`there is no version ${version} of shared pipeline "${target}" to run`);
    return enter(frame, found, found.pipeline, given, runComponent);
  }
  const path = resolveCall(target, { has: (name) => published.paths.includes(name) }, call.kind);
  if (path === undefined) return failure(`the ${call.kind} "${target}" is not part of this version`);
  return enter(frame, published, path, given, runComponent);
}

async function enter(
  frame: Frame,
  published: PublishedFiles,
  path: string,
  given: GivenValues,
  runComponent: RunComponent,
): Promise<Result> {
  const result = await runPipeline(frame.run, { published, path, given, caller: frame }, runComponent);
  return result.status === 'success' ? success(result.message || `Ran "${path}".`) : result;
}
