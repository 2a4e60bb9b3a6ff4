import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { NotFound } from '../../../client/index.ts';
import { isForbidden, isQueued, notStartedInTime, readStatus } from '../../../flows/run/execution-status.ts';
import { RateLimited } from '../../rate-limit/rate-limited.ts';
import { notifyLiveChanged } from '../live/notify-live-changed.ts';
import { beginLiveRead } from '../live/read-live.ts';
import { logFieldsOf } from '../context/log-fields.ts';
import { CredentialMissing } from '../context/platforms.ts';
import { learnedDelay, pollDelay } from '../context/poll-delay.ts';
import type { Step } from '../../records/promotion-record.ts';
import {
  continueNow,
  isCredentialFault,
  isTransient,
  type StepEnd,
  type Advance,
  waitFor,
} from '../advance/advance.ts';
import { waitWhileBlocked } from '../advance/wait-at-gate.ts';
import { finishOrVerify, indeterminate, type RanAt, finishWithError, unverified } from './outcomes.ts';

/**
 * Time that an execution may take to end after the first request to terminate it, unless the lane limits its
 * steps.
 */
const endingMs = 600_000;

type WatchStep = Extract<Step, { name: 'watch' }>;

/** Polls the execution once. Between polls, only the record of the promotion is kept. */
export async function watch(advance: Advance): Promise<StepEnd> {
  const { promotion, lane, ports } = advance;
  const { step: recordedStep } = promotion;
  if (recordedStep.name !== 'watch') return continueNow;
  const verify = lane.verify[recordedStep.verify];
  const pipeline = verify?.pipeline ?? '';
  const age = ports.clock.now() - recordedStep.since;
  const limit = verify?.timeout ?? 0;

  if (recordedStep.verdict !== undefined) {
    if (recordedStep.verdict.succeeded) return verified(advance, recordedStep);
    return unverified(advance, `${pipeline} did not succeed, as ${recordedStep.verdict.by} reported`);
  }
  if (recordedStep.hasSucceeded === true) {
    if (promotion.cancel !== undefined) return cancelled(advance, promotion.cancel);
    return verified(advance, recordedStep);
  }
  const seen = await pollExecution(advance, recordedStep);
  const now = ports.clock.now();
  const missingSince = seen === 'unknown' ? (recordedStep.missingSince ?? now) : undefined;
  if (missingSince !== undefined && now - missingSince >= ports.settings.missingMs) {
    return indeterminate(
      advance,
      `the platform no longer knows execution ${recordedStep.executionId} of ${pipeline}`,
    );
  }
  const step = withMissing(recordedStep, missingSince);
  if (missingSince !== recordedStep.missingSince) await advance.save({ what: '', step });
  const result = seen === 'unknown' ? undefined : seen;
  const { end } = result === undefined ? { end: 'running' as const } : readStatus(result);
  if (end === 'running') {
    const isWaiting = result !== undefined && isQueued(result);
    const late = isWaiting ? notStartedInTime(pipeline, result.message) : `${pipeline} did not end in time`;
    const reason = promotion.cancel ?? (age >= limit ? late : undefined);
    if (isTooLate(advance, step)) {
      const { executionId, ending, refused } = step;
      const what = `execution ${executionId} of ${pipeline}`;
      const problem =
        result === undefined ? `the worker does not know whether ${what} has ended` : `${what} does not end`;
      const tried =
        ending === undefined
          ? `the platform refused to terminate it: ${refused ?? ''}`
          : 'the worker asked the platform to terminate it';
      return indeterminate(advance, `${problem}: ${ending ?? reason ?? ''}; ${tried}`);
    }
    if (step.ending === undefined && reason !== undefined) return terminate(advance, step, reason, isWaiting);
    return waitFor(learnedDelay(step.since, step.usualMs, ports));
  }
  if (promotion.cancel !== undefined) return cancelled(advance, promotion.cancel);
  if (end === 'succeeded') {
    const [, next] = await Promise.all([
      keepDuration(advance, pipeline, tookMs(result) ?? age),
      verified(advance, { ...step, ran: ranAt(result) }),
    ]);
    return next;
  }
  const detail = result?.message ? `: ${result.message}` : '';
  const reason = step.ending ?? `${pipeline} ended ${result?.status ?? ''}${detail}`;
  // The version is not at fault, so it is not rolled back.
  if (step.neverStarted === true || isForbidden(result))
    return finishWithError(advance, `${reason.replace(/\.$/u, '')}; it never ran in ${lane.to}`);
  return unverified(advance, reason, ranAt(result));
}

/** Ends a cancelled promotion whose execution has ended. */
async function cancelled(advance: Advance, reason: string): Promise<StepEnd> {
  const { promotion, lane } = advance;
  const message = `${reason}; ${promotion.version ?? ''} stays in ${lane.to} unverified`;
  return advance.finish({ outcome: 'cancelled', message, report: { state: 'error', text: message } });
}

/** Never throws: one duration less only changes when the next executions are polled. */
async function keepDuration({ lane, ports }: Advance, pipeline: string, ms: number): Promise<void> {
  try {
    await ports.durations.record({ project: lane.project, environment: lane.to, pipeline }, ms);
  } catch (error) {
    ports.logger.warn('Recording the duration of an execution failed.', { error: messageOf(error) });
  }
}

/**
 * An execution succeeded. After the last one the version must still be live: it may have been disabled, or another one
 * promoted, while it was verified.
 */
async function verified(advance: Advance, step: WatchStep): Promise<StepEnd> {
  const { lane, promotion } = advance;
  const { version = '' } = promotion;
  const done = step.verify + 1;
  if (lane.verify[done] !== undefined) return finishOrVerify(advance, 'verified', { done, ran: step.ran });
  const { lastRead } = step;
  const [read] = await Promise.all([
    beginLiveRead(advance, lastRead),
    // Recorded so that the execution is not polled again while the platform does not answer. If another worker took the
    // promotion over during the poll, this one reads no more.
    lastRead === undefined ? advance.save({ what: '', step: { ...step, hasSucceeded: true } }) : undefined,
  ]);
  const { version: live, shared } = await read.answer().catch((error: unknown) => {
    // The next advance waits for a read after this one.
    if (lastRead === undefined)
      advance.saveWithNext({ what: '', step: { ...step, hasSucceeded: true, lastRead: read.after } });
    throw error;
  });
  const [, end] = await Promise.all([
    shared,
    live === version
      ? finishOrVerify(advance, 'verified', { done, ran: step.ran })
      : verifiedButNotLive(advance, live),
  ]);
  return end;
}

async function verifiedButNotLive(advance: Advance, live: string | undefined): Promise<StepEnd> {
  const { lane, promotion } = advance;
  await advance.save({ what: 'not-live', data: { live: live ?? null }, intent: null });
  await notifyLiveChanged(advance);
  const message = `${promotion.version ?? ''} was verified in ${lane.to} but is not live: ${live ?? 'no version'} is live there`;
  return advance.finish({ outcome: 'nothing-to-do', message, report: { state: 'error', text: message } });
}

function withMissing(step: WatchStep, missingSince: number | undefined): WatchStep {
  if (missingSince === step.missingSince) return step;
  const { missingSince: _, ...rest } = step;
  return missingSince === undefined ? rest : { ...rest, missingSince };
}

/** Whether it had enough time to end since the first request to terminate it, whatever the answers were. */
function isTooLate({ lane, ports }: Advance, { endingSince }: WatchStep): boolean {
  return endingSince !== undefined && ports.clock.now() - endingSince >= (lane.limits?.step ?? endingMs);
}

/** When it ran, as the platform reports. */
function ranAt(result: Awaited<ReturnType<typeof pollExecution>>): RanAt | undefined {
  if (result === undefined || result === 'unknown' || !result.startedAt) return undefined;
  return { startedAt: result.startedAt, finishedAt: result.finishedAt ?? undefined };
}

/** How long it took, as the platform reports. */
function tookMs(result: Awaited<ReturnType<typeof pollExecution>>): number | undefined {
  if (result === undefined || result === 'unknown') return undefined;
  const took = Date.parse(result.finishedAt ?? '') - Date.parse(result.startedAt ?? '');
  return Number.isFinite(took) && took >= 0 ? took : undefined;
}

/**
 * The execution now; 'unknown' if the platform does not know it; undefined if it could not be read this time.
 */
async function pollExecution(advance: Advance, { executionId }: WatchStep) {
  const { failures } = advance.ports;
  try {
    const { result } = await advance.client.executions.get(
      { projectId: advance.lane.project, pipelineExecutionId: executionId },
      advance.call,
    );
    failures.worked(`poll ${executionId}`);
    return result;
  } catch (error) {
    if (error instanceof NotFound) return 'unknown';
    advance.call.signal.throwIfAborted();
    if (error instanceof RateLimited || error instanceof CredentialMissing) throw error;
    if (!isTransient(error) && !isCredentialFault(error)) throw error;
    // The execution continues; its time limit still counts.
    failures.failed(`poll ${executionId}`, 'Polling an execution failed.', {
      ...logFieldsOf(advance.promotion),
      execution_id: executionId,
      error: messageOf(error),
    });
    return undefined;
  }
}

/** Terminates the execution. Repeating it does no harm, so that a lost answer is simply sent again. */
async function terminate(
  advance: Advance,
  step: WatchStep,
  reason: string,
  isWaiting: boolean,
): Promise<StepEnd> {
  const { ports, lane } = advance;
  if (!(await advance.intend('terminate', `execution ${step.executionId}`))) return waitWhileBlocked(advance);
  // Counted from the first request: an execution that always refuses must be given up at some time.
  const endingSince = step.endingSince ?? ports.clock.now();
  try {
    await advance.client.executions.terminate(
      {
        projectId: lane.project,
        pipelineExecutionId: step.executionId,
        status: 'CANCELLED',
        forceUpdate: true,
      },
      advance.call,
    );
  } catch (error) {
    const refused = messageOf(error);
    const now = { ...step, endingSince, refused };
    await advance.save({ what: 'termination-refused', data: { error: refused }, intent: null, step: now });
    // It may have ended by itself: the next poll shows that.
    return waitFor(pollDelay(endingSince, ports));
  }
  await advance.save({
    what: 'terminated',
    data: { reason },
    intent: null,
    step: { ...step, ending: reason, endingSince, ...(isWaiting ? { neverStarted: true as const } : {}) },
  });
  return waitFor(pollDelay(ports.clock.now(), ports));
}
