import { type CheckBreach, firstBreaches } from '../../../lib/pipelines/checks/breach.ts';
import { danglingReferences } from '../../../lib/pipelines/checks/dangling-reference.ts';
import type { ExecutionRequest, PublishedFiles } from '../run/execution-request.ts';
import { type GivenValues, pipelineVariables } from '../run/pipeline-variables.ts';
import {
  endAll,
  failure,
  type Frame,
  type Result,
  type Run,
  type RunComponent,
  stopped,
  success,
} from '../run/run.ts';
import { failureOfError } from '../run/failure-of-error.ts';
import type { ScriptedOutcome } from '../run/scripted-outcome.ts';
import { addScriptedRows } from '../simulate/scripted-tables.ts';
import { sleepFor } from '../simulate/simulate.ts';
import { walkOrchestration } from './walk-orchestration.ts';
import { runTransformation } from './run-transformation.ts';

export interface PipelineCall {
  readonly published: PublishedFiles;
  readonly path: string;
  readonly values: GivenValues;
  /** The frame of the calling pipeline. Undefined at the top level. */
  readonly caller: Frame | undefined;
}

/**
 * Runs an orchestration or a transformation. It is either the requested pipeline or a pipeline that a component
 * calls.
 */
export async function runPipeline(run: Run, call: PipelineCall, runComponent: RunComponent): Promise<Result> {
  const { published, path, values, caller } = call;
  const chain = [...(caller?.chain ?? []), path];
  const depth = (caller?.depth ?? 0) + 1;
  if (depth > run.limits.depth) return endAll(run, tooDeep(chain, run.limits.depth));
  const document = run.read(published, path);
  if (document === undefined) return outright(`This version has no pipeline with the path "${path}".`);
  if (published === run.request) run.called.add(path);
  const [problem] = document.problems;
  if (problem !== undefined) {
    const { line, column, message } = problem;
    return outright(`Pipeline "${path}" cannot be read: line ${line}, column ${column}: ${message}.`);
  }
  if (run.engine !== undefined) {
    // Simulated pipelines keep running: `millrace review` reports these names too.
    const [missing] = firstBreaches(danglingReferences(document));
    if (missing !== undefined) return outright(noSuchComponent(missing));
  }
  const declared = pipelineVariables(document, run.project, values);
  if ('refusal' in declared) return outright(`Pipeline "${path}" could not start: ${declared.refusal}.`);
  if (caller === undefined) run.variables = declared.variables;
  const frame: Frame = {
    run,
    published,
    document,
    variables: declared.variables,
    chain,
    depth,
    step: caller?.step ?? null,
    iteration: caller?.iteration ?? null,
    end: { failed: false },
    parent: caller,
    transformation: undefined,
  };
  const scripted = run.script.take(path, undefined, run.request.environment);
  if (scripted !== undefined) {
    if (!(await sleepFor(frame, scripted.after ?? run.request.componentTimeMs))) return stopped;
    if (scripted.outcome !== 'failure') return succeed(scripted, run);
    return outright(
      `Pipeline "${path}" failed: ${scripted.message ?? 'the seed of the local platform defines this result (simulated)'}`,
    );
  }
  const result =
    document.kind === 'transformation'
      ? await runTransformation(frame, runComponent)
      : await walkOrchestration(frame, runComponent);
  return { ...result, called: declared.variables.all() };
}

/** The values of variables in the request that starts the execution. */
export function givenByRequest({ scalarVariables, gridVariables }: ExecutionRequest): GivenValues {
  return { scalars: Object.entries(scalarVariables), grids: Object.entries(gridVariables) };
}

function noSuchComponent({ file, range: { line, column }, message }: CheckBreach): string {
  return `Pipeline "${file}" cannot run: ${file}:${line}:${column}: ${message}`;
}

function outright(sentence: string): Result {
  return failure(sentence, sentence);
}

/** A whole pipeline that the script replaces. */
async function succeed(scripted: ScriptedOutcome, { engine }: Run): Promise<Result> {
  try {
    if (engine !== undefined) await addScriptedRows(scripted, engine);
    return success(scripted.message ?? '');
  } catch (error) {
    return failureOfError(error);
  }
}

/** The message names the cycle if there is one, else the call chain. */
function tooDeep(chain: readonly string[], limit: number): string {
  const last = chain.at(-1) ?? '';
  const before = chain.lastIndexOf(last, -2);
  const cycle = (before < 0 ? chain : chain.slice(before)).map((path) => `"${path}"`).join(' → ');
  return `Pipelines call each other more than ${limit} levels deep, which is the limit of the engine: ${cycle}.`;
}
