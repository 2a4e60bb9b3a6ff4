import { isStopped, failure, type Frame, type Result, stopped, success } from './run.ts';
import type { ScriptedOutcome } from './scripted-outcome.ts';

/** Lets time pass by the clock. False where a forced termination cut it short. */
export async function pass(frame: Frame, ms: number): Promise<boolean> {
  return ms > 0 ? sleep(frame, ms) : !frame.run.forced.aborted;
}

/**
 * Lets others have their turn. Components that only steer take no time: a long row of them would keep the whole
 * platform from answering, also to the request that terminates it.
 */
export async function breathe(frame: Frame): Promise<boolean> {
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

/** What happens outside, without happening: time passes, and it succeeds unless the script says otherwise. */
export async function simulate(frame: Frame, scripted: ScriptedOutcome | undefined): Promise<Result> {
  const { run } = frame;
  if (!(await pass(frame, scripted?.after ?? run.request.componentTimeMs))) return stopped;
  if (scripted?.outcome === 'failure') return failure(scripted.message ?? 'the script says so (simulated)');
  const refusal = setVariables(frame, scripted);
  if (refusal !== undefined) return failure(refusal);
  return success(scripted?.message ?? 'Simulated.');
}

/** Sets what the script says that a component finds out; answers why not, or nothing. */
export function setVariables(frame: Frame, scripted: ScriptedOutcome | undefined): string | undefined {
  if (scripted?.variables === undefined || isStopped(frame)) return undefined;
  for (const [name, value] of Object.entries(scripted.variables)) {
    const refusal = frame.variables.set(name, value);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
