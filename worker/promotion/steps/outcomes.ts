import { workerName } from '../../../lib/config/worker/operator-schema.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { GivenHold, HoldCause } from '../../store/lanes/lane-record.ts';
import { continueNow, type StepEnd, type Advance } from '../advance/advance.ts';

/** A hold that the worker itself sets. */
export function holdFor(advance: Advance, cause: HoldCause, reason: string): GivenHold {
  return {
    cause,
    by: workerName,
    via: 'worker',
    reason,
    since: advance.ports.clock.now(),
    promotion: advance.promotion.id,
  };
}

/** When an execution began and ended, according to the platform; shown to people. */
export interface RanAt {
  readonly startedAt: string;
  readonly finishedAt?: string | undefined;
}

/**
 * The end of a step after the promotion and after each verification (`ran`): starts the next verification, or
 * finishes the promotion.
 */
export async function finishOrVerify(
  advance: Advance,
  what: string,
  { done = 0, ran }: { readonly done?: number; readonly ran?: RanAt | undefined } = {},
): Promise<StepEnd> {
  const { lane, promotion } = advance;
  const version = promotion.version ?? '';
  const next = lane.verify[done];
  if (next !== undefined) {
    // Recorded with the intent of the start. If the worker is killed before, the next one finds on the platform what
    // was done.
    advance.saveWithNext({
      what,
      data: ran,
      intent: null,
      step: { name: 'start', verify: done, since: advance.ports.clock.now() },
      report: {
        state: 'pending',
        text: `${version} is in ${lane.to}; running ${next.pipeline} (${done + 1} of ${lane.verify.length})`,
      },
    });
    return continueNow;
  }
  const proof = done === 0 ? '' : `, verified by ${numberOf(done, 'execution')}`;
  // Not "live": a newer enabled version may be live there.
  const message = `${version} is in ${lane.to}${proof}`;
  return advance.finish({
    what,
    data: ran,
    outcome: 'passed',
    message,
    verified: version,
    report: { state: 'success', text: message },
  });
}

/** The end of a step after a failed verification: rolls back or stops, as the lane says. */
export async function unverified(advance: Advance, reason: string, ran?: RanAt): Promise<StepEnd> {
  const { lane, promotion } = advance;
  if (lane.onFailure === 'rollback') {
    await advance.save({
      what: 'verification-failed',
      data: { reason, ...ran },
      intent: null,
      step: { name: 'roll-back', reason, since: advance.ports.clock.now() },
      report: { state: 'pending', text: `Rolling ${lane.to} back: ${reason}` },
    });
    return continueNow;
  }
  const message = `${promotion.version ?? ''} failed in ${lane.to}: ${reason}`;
  return advance.finish({
    outcome: 'failed',
    message,
    hold: holdFor(advance, 'failed', message),
    report: { state: 'failure', text: `${message}; the lane is on hold` },
  });
}

/**
 * The end of a step if the version is in the target, but what is live, or a fact in the plan, is not what was
 * approved. Finishes with an error and holds the lane. A retry makes a new plan and verifies the version.
 */
export async function underAnotherPlan(
  advance: Advance,
  what: string,
  differences: readonly string[],
): Promise<StepEnd> {
  const { lane, promotion } = advance;
  const because = differences.join(', ');
  const message = `${promotion.version ?? ''} was promoted to ${lane.to}, but not as planned: ${because}; nothing was verified`;
  return advance.finish({
    what,
    data: { because },
    outcome: 'error',
    message,
    hold: holdFor(advance, 'plan-changed', message),
    report: { state: 'error', text: `${message}; the lane is on hold` },
  });
}

/** Finishes the promotion with an unknown outcome, and holds the lane until a person has resolved it. */
export async function indeterminate(advance: Advance, reason: string): Promise<StepEnd> {
  return advance.finish({
    outcome: 'indeterminate',
    message: reason,
    hold: holdFor(advance, 'indeterminate', reason),
    report: { state: 'error', text: `Outcome unknown: ${reason}` },
  });
}

/**
 * Finishes the promotion with an error that is not the version's fault (such as a credential or the platform), and
 * holds the lane, because other promotions would fail in the same way.
 */
export async function finishWithError(advance: Advance, reason: string): Promise<StepEnd> {
  return advance.finish({
    outcome: 'error',
    message: reason,
    hold: holdFor(advance, 'stuck', reason),
    report: { state: 'error', text: `${reason}; the lane is on hold` },
  });
}
