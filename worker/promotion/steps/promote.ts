import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { Conflict, PlatformFailed } from '../../../client/index.ts';
import { type ArtifactVersion, listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { liveVersion } from '../../../flows/versions/live-version.ts';
import { notifyLiveChanged } from '../live/notify-live-changed.ts';
import { blockingGate } from '../gates/blocking-gate.ts';
import { waitForEvidence } from '../advance/wait-for-evidence.ts';
import { currentPolicy } from '../gates/current-policy.ts';
import { pauseGate } from '../gates/pause-gate.ts';
import { unmetCheck } from '../gates/unmet-check.ts';
import { renewAtGate, renewBeforeEffect } from '../plan/renew-plan.ts';
import { differencesAfter } from '../plan/compare-after.ts';
import { waitWhileBlocked, waitAtGate } from '../advance/wait-at-gate.ts';
import { checkArtifact } from '../advance/check-artifact.ts';
import { stepLimit } from '../context/limits.ts';
import {
  continueNow,
  isCredentialFault,
  isTransient,
  isOutcomeUnknown,
  rethrowUnsent,
  type StepEnd,
  type Advance,
  waitFor,
} from '../advance/advance.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { Records } from '../context/ports.ts';
import type { Step } from '../../records/promotion-record.ts';
import type { LaneRecord } from '../../store/lanes/lane-record.ts';
import { makeLive, recordInterrupted } from './make-live.ts';
import { findNewerLive } from './newer-live.ts';
import { finishOrVerify, holdFor, indeterminate, finishWithError, underAnotherPlan } from './outcomes.ts';
import { mustSoakLonger } from './resolve.ts';

type PromoteStep = Extract<Step, { readonly name: 'promote' }>;

/** Longest pause that the platform may ask for. */
const maxPauseMs = 600_000;

/** A promotion whose answer was lost can appear late: delays between reads of the list. */
const readBackDelaysMs = [0, 500, 2_000, 5_000, 10_000];

/**
 * Promotes a version that the target does not have (spec §4.3). Reads the target's versions first, and again if the
 * outcome is unknown, so that one promotion never sends the call twice.
 */
export async function promote(advance: Advance): Promise<StepEnd> {
  const { promotion, lane, ports } = advance;
  const { step } = promotion;
  const version = promotion.version ?? '';
  if (step.name !== 'promote') return continueNow;
  if (promotion.intent === undefined) {
    const end = await waitForGates(advance);
    if (end !== undefined) return end;
  }
  const [all, record] = await Promise.all([
    listArtifacts(lane.to, advance.context),
    promotion.intent === undefined ? ports.store.lane(lane.id) : undefined,
  ]);
  const there = all.find(({ versionName }) => versionName === version);
  if (there?.enabled === false && promotion.task.request === undefined) {
    const message = `${version} is disabled in ${lane.to}`;
    return advance.finish({ outcome: 'failed', message, report: { state: 'failure', text: message } });
  }
  const checked = there && (await checkArtifact(advance, there));
  if (checked !== undefined && 'end' in checked) return checked.end;
  await recordInterrupted(advance, all);
  if (there !== undefined && liveVersion(all)?.versionName !== version) {
    if (promotion.task.request === undefined) {
      // Its own effect put the version there: what went live since then was not in the plan.
      if (promotion.intent !== undefined && step.underPlan !== undefined)
        return concludeEffect(advance, 'promotion-found');
      return notLive(advance, liveVersion(all)?.versionName ?? '');
    }
    return (await waitForPlan(advance, all)) ?? makeLive(advance, all, concludeEffect);
  }
  if (there !== undefined) {
    if (promotion.intent === undefined) return concludeEffect(advance, 'already-there');
    // Reads of the live version since the answer was lost may have failed too, or returned an old state.
    advance.alongside(notifyLiveChanged(advance, version));
    return concludeEffect(advance, 'promotion-found');
  }
  if (promotion.intent !== undefined) {
    const { since = 0, until } = step.busy ?? {};
    return until === undefined ? readBack(advance, step) : sendAgain(advance, step, { since, until });
  }

  const newerLive = await findNewerLive(advance, all);
  if ('end' in newerLive) return newerLive.end;
  if (newerLive.newer !== undefined) return superseded(advance, newerLive.newer);
  if (await holdWhereRolledBack(advance, record, all)) return waitWhileBlocked(advance);
  const otherPlan = await waitForPlan(advance, all);
  if (otherPlan !== undefined) return otherPlan;
  if (!(await advance.intend('promote', `${version} in ${lane.to}`))) return waitWhileBlocked(advance);
  // The intent has recorded its plan in the step.
  const begun = { ...step, ...advance.promotion.step, name: step.name };
  try {
    await advance.client.artifacts.promote(
      {
        projectId: lane.project,
        sourceEnvironmentName: lane.from,
        targetEnvironmentName: lane.to,
        versionName: version,
      },
      advance.call,
    );
  } catch (error) {
    if (isOutcomeUnknown(error)) {
      await notifyLiveChanged(advance, version);
      const pauseMs = pauseAskedFor(error);
      if (pauseMs !== undefined) return waitWhileBusy(advance, begun, { pauseMs, error });
      await advance.save({ what: 'answer-lost', data: { error: messageOf(error) } });
      return continueNow;
    }
    await rethrowUnsent(advance, error);
    // An earlier attempt, answered 503, may have taken effect since it was read back: the list shows that.
    if (error instanceof Conflict && step.busy !== undefined) {
      const { busy: _, ...next } = begun;
      await advance.save({ what: 'answer-lost', data: { error: messageOf(error) }, step: next });
      return continueNow;
    }
    await advance.save({ what: 'promotion-refused', data: { error: messageOf(error) }, intent: null });
    if (isTransient(error) && ports.clock.now() - step.since < stepLimit(advance.lane, ports.settings))
      return waitFor(5_000);
    if (isCredentialFault(error) || isTransient(error))
      return finishWithError(advance, `${version} could not be promoted: ${messageOf(error)}`);
    const message = `${version} could not be promoted to ${lane.to}: ${messageOf(error)}`;
    return advance.finish({ outcome: 'failed', message, report: { state: 'failure', text: message } });
  }
  advance.alongside(notifyLiveChanged(advance, version));
  return concludeEffect(advance, 'promoted');
}

/** How the step ends if the plan, made again for the last time before the effect, is not the one that was approved. */
async function waitForPlan(
  advance: Advance,
  target: readonly ArtifactVersion[],
): Promise<StepEnd | undefined> {
  await renewBeforeEffect(advance, target);
  const { promotion, ports } = advance;
  if (promotion.intent !== undefined) return undefined;
  const shut = blockingGate(promotion, ports.config, ports.clock.now());
  return shut && waitAtGate(advance, shut);
}

/** After the effect: what is live must be what the plan said. */
async function concludeEffect(advance: Advance, what: string): Promise<StepEnd> {
  const differences = await differencesAfter(advance);
  return differences.length === 0
    ? finishOrVerify(advance, what)
    : underAnotherPlan(advance, what, differences);
}

/** How the step ends if a gate blocks; undefined if all are open. */
async function waitForGates(advance: Advance): Promise<StepEnd | undefined> {
  const { promotion, ports } = advance;
  const shut =
    blockingGate(promotion, ports.config, ports.clock.now()) ??
    (advance.mayBePaused ? await pauseGate(promotion, ports.store) : undefined);
  if (shut !== undefined) {
    await renewAtGate(advance);
    // The plan decides which approvals count.
    const still = blockingGate(advance.promotion, ports.config, ports.clock.now());
    if (shut.gate === 'approval' && still === undefined) return continueNow;
    return waitAtGate(advance, still ?? shut);
  }
  const { checks = [], soak = 0 } = currentPolicy(promotion.task, ports.config)?.gates ?? {};
  const unmet = await unmetCheck(advance);
  if (unmet !== undefined) return waitAtGate(advance, unmet);
  // Another worker may have taken the promotion over while GitHub was read, or the source: then this one reads no more.
  if (checks.length > 0) await advance.save({ what: '' });
  const unproved = await waitForEvidence(advance);
  if (unproved !== undefined) return unproved;
  if (await mustSoakLonger(advance)) {
    await advance.save({ what: 'must-soak', step: { name: 'resolve', since: ports.clock.now() } });
    return continueNow;
  }
  if (soak > 0) await advance.save({ what: '' });
  return undefined;
}

/**
 * The target has the version, and a newer one is live: promoting again would change nothing (unknowns §3), and only an
 * operator may take an environment back.
 */
async function notLive(advance: Advance, live: string): Promise<StepEnd> {
  const { promotion, lane } = advance;
  const message = `${promotion.version ?? ''} is in ${lane.to} but is not live, because ${live} is live there`;
  return advance.finish({ outcome: 'nothing-to-do', message, report: { state: 'error', text: message } });
}

async function superseded(advance: Advance, newer: string): Promise<StepEnd> {
  const message = `Superseded by ${newer}, which is newer and live; only an operator can take ${advance.lane.to} back to an older version`;
  return advance.finish({ outcome: 'superseded', message, report: { state: 'success', text: message } });
}

/** Milliseconds that the platform asked to wait with its 503; undefined for another failure. */
function pauseAskedFor(error: unknown): number | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof PlatformFailed) || cause.status !== 503) return undefined;
  return cause.retryAfterMs === undefined ? undefined : Math.min(cause.retryAfterMs, maxPauseMs);
}

/** The intent stays open: a 503 does not prove that nothing happened. */
async function waitWhileBusy(
  advance: Advance,
  step: PromoteStep,
  { pauseMs, error }: { readonly pauseMs: number; readonly error: unknown },
): Promise<StepEnd> {
  const now = advance.ports.clock.now();
  const busy = { since: step.busy?.since ?? now, until: now + pauseMs };
  await advance.save({
    what: 'platform-busy',
    data: { error: messageOf(error) },
    step: { ...step, busy },
    report: { state: 'pending', text: 'Waiting for the platform: it is busy (503) and asked to wait' },
  });
  return waitFor(Math.max(1, pauseMs));
}

/**
 * After the pause that the platform asked for, the target's list, which was just read, does not have the version: the
 * promotion did not take effect, and is sent again with a new intent. Promoting what is there changes nothing.
 */
async function sendAgain(
  advance: Advance,
  step: PromoteStep,
  busy: { readonly since: number; readonly until: number },
): Promise<StepEnd> {
  const { ports, lane, promotion } = advance;
  const now = ports.clock.now();
  if (now < busy.until) return waitFor(busy.until - now);
  // Only this answer was a 503: the next one may be lost.
  await advance.save({
    what: 'promotion-absent',
    intent: null,
    step: { ...step, busy: { since: busy.since } },
  });
  if (now - busy.since < stepLimit(lane, ports.settings)) return continueNow;
  return finishWithError(
    advance,
    `${promotion.version ?? ''} could not be promoted: the platform is busy (503)`,
  );
}

async function readBack(advance: Advance, step: PromoteStep): Promise<StepEnd> {
  const wait = readBackDelaysMs[step.readBacks];
  if (wait === undefined) {
    return indeterminate(
      advance,
      `the worker does not know whether ${advance.promotion.version ?? ''} was promoted to ${advance.lane.to}: check on the platform whether ${advance.lane.to} has it`,
    );
  }
  await advance.save({ what: '', step: { ...step, readBacks: step.readBacks + 1 } });
  return waitFor(Math.max(1, wait * advance.ports.settings.pollScale));
}

/**
 * A person may have disabled the live version by hand, or through another lane. What they rolled back must not return
 * unnoticed, so the lane is held until a person has checked. Once for each version.
 */
async function holdWhereRolledBack(
  advance: Advance,
  record: LaneRecord | undefined,
  artifacts: readonly ArtifactVersion[],
): Promise<boolean> {
  const { lane, ports } = advance;
  // The version that the lane has verified last, or that was found when its records were lost.
  const live = (record?.verified ?? record?.found)?.version;
  if (live === undefined) return false;
  if (artifacts.find(({ versionName }) => versionName === live)?.enabled !== false) return false;
  const reason = `${live} was live in ${lane.to} and was ${await describeDisabling(record?.verified?.promotion, ports)}`;
  const isNew = await ports.store.holdForMissing(lane.id, holdFor(advance, 'disabled', reason), live);
  // The last answer of the platform still names the version.
  if (isNew) await notifyLiveChanged(advance);
  return isNew;
}

/** How the version of a promotion was disabled: its record says it if that was done through another lane. */
async function describeDisabling(
  promotion: string | undefined,
  { store }: Records<LaneReads>,
): Promise<string> {
  const { rolledBack } = (promotion === undefined ? undefined : await store.promotion(promotion)) ?? {};
  if (rolledBack === undefined || rolledBack.outside === true)
    return 'disabled there directly on the platform, not by Millrace';
  return `rolled back to ${rolledBack.live} through another lane by ${rolledBack.by}: ${rolledBack.reason}`;
}
