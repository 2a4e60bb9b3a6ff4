import { addScriptedRows } from './scripted-tables.ts';
import { isStopped, failure, type Frame, type Result, stopped, success } from '../run/run.ts';
import type { ScriptedOutcome } from '../run/scripted-outcome.ts';

/**
 * Waits for a time on the given clock. Resolves to false if a forced termination of the execution interrupted the
 * wait.
 */
export async function sleepFor(frame: Frame, ms: number): Promise<boolean> {
  return ms > 0 ? sleep(frame, ms) : !frame.run.forced.aborted;
}

/**
 * Lets other work of the process continue. Control components take no time, so without this pause, a long chain of
 * them would block the whole platform, including the request that terminates the execution.
 */
export async function yieldToOthers(frame: Frame): Promise<boolean> {
  return sleep(frame, 0);
}

async function sleep({ run: { request, forced } }: Frame, ms: number): Promise<boolean> {
  try {
    await request.clock.sleep(ms, forced);
  } catch (error) {
    if (!forced.aborted) throw error;
  }
  return !forced.aborted;
}

/**
 * Simulates a component. It takes some time, and succeeds unless the script of simulated results defines another
 * result.
 */
export async function simulate(frame: Frame, scripted: ScriptedOutcome | undefined): Promise<Result> {
  const { run } = frame;
  if (!(await sleepFor(frame, scripted?.after ?? run.request.componentTimeMs))) return stopped;
  if (scripted?.outcome === 'failure')
    return failure(scripted.message ?? 'the seed of the local platform defines this result (simulated)');
  const refusal = setVariables(frame, scripted);
  if (refusal !== undefined) return failure(refusal);
  if (scripted !== undefined && run.engine !== undefined) await addScriptedRows(scripted, run.engine);
  return { ...success(scripted?.message ?? 'Simulated.'), isReplaced: true };
}

/** Sets the variables that a simulated result defines. Returns the reason if a variable cannot have its value. */
export function setVariables(frame: Frame, scripted: ScriptedOutcome | undefined): string | undefined {
  if (scripted?.variables === undefined || isStopped(frame)) return undefined;
  for (const [name, value] of Object.entries(scripted.variables)) {
    const refusal = frame.variables.set(name, value);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
