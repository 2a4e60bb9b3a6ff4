import { type StepEnd, type Turn, waitFor } from './turn.ts';
import type { ShutGate } from './gates/shut-gate.ts';

/** Milliseconds between looks; an approval, an override and a newer run hurry it anyway. */
const gateDelayMs = 15_000;

/**
 * Waits before a shut gate and says so. Where a newer version stands behind it, it gives way instead: what nobody has
 * let through yet must not keep the newest out, and its approvals are void with it. Not for an execution’s start:
 * the version is in the target already.
 */
export async function waitAtGate(turn: Turn, { gate, text }: ShutGate): Promise<StepEnd> {
  const { run, lane, engine } = turn;
  const { step } = run;
  if (step.name === 'promote' && gate !== 'policy' && lane.policy !== 'every') {
    const newer = await newest(turn);
    if (newer !== undefined) {
      return turn.settle({
        outcome: 'superseded',
        message: `Superseded by ${newer}`,
        report: { state: 'success', text: `Superseded by ${newer}; nothing was promoted` },
      });
    }
  }
  const said = run.report.text === text;
  // The time limits of a step begin when it may begin.
  const later =
    step.name === 'promote' || step.name === 'start' ? { step: { ...step, since: engine.clock.now() } } : {};
  await turn.save({ what: said ? '' : `waits-for-${gate}`, ...later, report: { state: 'pending', text } });
  return waitFor(gateDelayMs);
}

/** What the run that waits for the lane would promote; undefined where none waits. */
async function newest({ lane, engine }: Turn): Promise<string | undefined> {
  const id = (await engine.store.lane(lane.id))?.waiting.at(-1);
  const run = id === undefined ? undefined : await engine.store.run(id);
  return run === undefined ? undefined : (run.version ?? run.plan.commit.slice(0, 12));
}
