import { type StepEnd, type Advance, waitFor } from './advance.ts';
import type { BlockingGate } from './gates/blocking-gate.ts';

/** Milliseconds between looks; an approval, an override and a newer promotion hurry it anyway. */
const gateDelayMs = 15_000;

/**
 * Waits before a shut gate and says so. Where a newer version stands behind it, it gives way instead: what nobody has
 * let through yet must not keep the newest out, and its approvals are void with it. Not for an execution’s start:
 * the version is in the target already.
 */
export async function waitAtGate(advance: Advance, { gate, text }: BlockingGate): Promise<StepEnd> {
  const { promotion, lane, engine } = advance;
  const { step } = promotion;
  if (step.name === 'promote' && gate !== 'policy' && lane.policy !== 'every') {
    const newer = await newest(advance);
    if (newer !== undefined) {
      return advance.finish({
        outcome: 'superseded',
        message: `Superseded by ${newer}`,
        report: { state: 'success', text: `Superseded by ${newer}; nothing was promoted` },
      });
    }
  }
  const isReported = promotion.report.text === text;
  // The time limits of a step begin when it may begin.
  const later =
    step.name === 'promote' || step.name === 'start' ? { step: { ...step, since: engine.clock.now() } } : {};
  await advance.save({
    what: isReported ? '' : `waits-for-${gate}`,
    ...later,
    report: { state: 'pending', text },
  });
  return waitFor(gateDelayMs);
}

/** What the promotion that waits for the lane would promote; undefined where none waits. */
async function newest({ lane, engine }: Advance): Promise<string | undefined> {
  const id = (await engine.store.lane(lane.id))?.waiting.at(-1);
  const promotion = id === undefined ? undefined : await engine.store.promotion(id);
  return promotion === undefined ? undefined : (promotion.version ?? promotion.plan.commit.slice(0, 12));
}
