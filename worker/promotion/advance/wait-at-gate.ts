import { type Advance, type StepEnd, waitFor } from './advance.ts';
import { blockingGate, type BlockingGate } from '../gates/blocking-gate.ts';
import { pauseGate } from '../gates/pause-gate.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { AuthorsRead } from '../../records/promotion-task.ts';
import { readUnlistedAuthors } from './unlisted-authors.ts';
import { currentPolicy } from '../gates/current-policy.ts';

/** Comparing the records takes a few calls. */
const recheckMs = 500;

/**
 * Makes the promotion wait at a blocking gate, and reports why. If a newer version waits for the lane, the
 * promotion is superseded instead: a version without approval must not block the newest one, and its approvals
 * become void. This does not apply before the start of an execution, because the version is in the target already.
 */
export async function waitAtGate(advance: Advance, { gate, text }: BlockingGate): Promise<StepEnd> {
  const { promotion, lane, ports } = advance;
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
  // The next advance reads from the record what was learned.
  if (gate === 'approval' && (await learnAuthors(advance))) return waitFor(1);
  const isReported = promotion.report.text === text;
  // The time limits of a step begin when the step may begin.
  const now = ports.clock.now();
  const later =
    step.name === 'promote' || step.name === 'start'
      ? {
          step: { ...step, since: now, waits: step.waits?.gate === gate ? step.waits : { gate, since: now } },
        }
      : {};
  await advance.save({
    what: isReported ? '' : `waits-for-${gate}`,
    // A status has room for its beginning only.
    ...(gate === 'evidence' ? { data: { reason: text } } : {}),
    ...later,
    report: { state: 'pending', text },
  });
  return waitFor(ports.settings.gateMs);
}

/** The version of the promotion that waits for the lane; undefined if none waits. */
async function newest({ lane, ports }: Advance): Promise<string | undefined> {
  const id = (await ports.store.lane(lane.id))?.waiting.at(-1);
  const promotion = id === undefined ? undefined : await ports.store.promotion(id);
  return promotion === undefined ? undefined : (promotion.version ?? promotion.task.commit.slice(0, 12));
}

/**
 * Makes a promotion wait that may not cause an effect now, and reports why: a gate blocks, the lane is on hold, a
 * pause covers the promotion, its end was requested, or Redis is not ready.
 */
export async function waitWhileBlocked(advance: Advance): Promise<StepEnd> {
  const { promotion, lane, ports } = advance;
  // Rejected or cancelled since this advance began: the next one, which that requested, ends it.
  const isEnding =
    promotion.cancel === undefined && (await ports.store.promotion(promotion.id))?.cancel !== undefined;
  if (isEnding) return waitFor(1);
  const gate = blockingGate(promotion, ports.config, ports.clock.now());
  if (gate !== undefined) return waitAtGate(advance, gate);
  if (await ports.store.isBeingChecked(lane.id)) {
    const text = 'Waiting: Redis was restarted, and the records are being compared with the platform';
    return waitElsewhere(advance, text, recheckMs);
  }
  const isHeld = ((await ports.store.lane(lane.id))?.holds.length ?? 0) > 0;
  const paused = isHeld ? undefined : await pauseGate(promotion, ports.store);
  if (paused !== undefined) return waitAtGate(advance, paused);
  if (!isHeld && !(await ports.isReplicated())) {
    const text = 'Waiting: too few replicas of Redis have the records';
    return waitElsewhere(advance, text, ports.settings.unansweredMs);
  }
  return waitElsewhere(advance, 'Waiting: the lane is on hold', ports.settings.gateMs);
}

/** Makes the promotion wait for something that is not a gate. The record no longer names the gate at which it waited before. */
async function waitElsewhere(advance: Advance, text: string, ms: number): Promise<StepEnd> {
  const { step } = advance.promotion;
  if ('waits' in step && step.waits !== undefined) {
    const { waits: _, ...without } = step;
    await advance.save({ what: '', step: without, report: { state: 'pending', text } });
  } else await advance.save({ what: '', report: { state: 'pending', text } });
  return waitFor(ms);
}

/**
 * Asks GitHub again who wrote the commits of a promotion: GitHub did not answer when the promotion was created, or
 * worker.yaml did not require it then. Returns whether the authors are known now; then one approval fewer may be
 * needed.
 */
export async function learnAuthors(advance: Advance): Promise<boolean> {
  const { promotion, ports } = advance;
  const { clock, config, settings } = ports;
  const { task, authorsAskedAt = 0 } = promotion;
  const policy = currentPolicy(task, config);
  if (policy === undefined || policy.areAuthorsKnown || task.authorsReadFrom !== undefined) return false;
  const now = clock.now();
  if (now - authorsAskedAt < settings.authorsMs) return false;
  const authors = await readAuthors(advance);
  // Fenced: another worker may have taken the promotion over while GitHub was asked.
  await advance.save({
    what: authors === undefined ? '' : 'authors-read',
    authors: { askedAt: now, answer: authors },
  });
  return authors !== undefined;
}

async function readAuthors({ promotion, ports }: Advance): Promise<AuthorsRead | undefined> {
  try {
    return await readUnlistedAuthors(promotion.task, ports);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
