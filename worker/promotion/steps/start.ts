import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { TagConflict } from '../../../client/index.ts';
import { executionTag } from '../../../flows/run/execution-tag.ts';
import type { Verification } from '../../records/configured.ts';
import { learnedDelay, pollDelay } from '../context/poll-delay.ts';
import {
  continueNow,
  isCredentialFault,
  isOutcomeUnknown,
  isTransient,
  rethrowUnsent,
  type Advance,
  type StepEnd,
  waitFor,
} from '../advance/advance.ts';
import { waitWhileBlocked } from '../advance/wait-at-gate.ts';
import { finishWithError, indeterminate, unverified } from './outcomes.ts';

/**
 * Starts a verification pipeline with the promoted version. A start is sent only once: the tag prevents a second
 * execution only while the first one runs, and no call lists executions, so a lost answer cannot be looked up
 * (unknowns §2).
 */
export async function start(advance: Advance): Promise<StepEnd> {
  const { promotion, lane, ports } = advance;
  const { step } = promotion;
  if (step.name !== 'start') return continueNow;
  const verify = lane.verify[step.verify];
  if (verify === undefined)
    return finishWithError(
      advance,
      'the lane has no verification with the number that the promotion names; retry the promotion',
    );
  const { pipeline, variables } = verify;
  const tag = executionTag(lane.project, lane.to, pipeline);
  const lost = `the worker does not know whether ${pipeline} was started in ${lane.to}: look on the platform for an execution with the tag ${tag} and the version ${promotion.version ?? ''}`;
  if (promotion.intent !== undefined) return indeterminate(advance, lost);

  const [usualMs, mayStart] = await Promise.all([
    usualDuration(advance, pipeline),
    advance.intend('start', `${pipeline} in ${lane.to}, tag ${tag}`),
  ]);
  if (!mayStart) return waitWhileBlocked(advance);
  let executionId: string;
  // Only around the call: after an accepted start, a Redis that refuses the record must not look like a refused
  // start.
  try {
    const taken = await advance.client.executions.start(
      {
        projectId: lane.project,
        pipelineName: pipeline,
        environmentName: lane.to,
        executionTag: tag,
        versionName: promotion.version ?? '',
        ...(Object.keys(variables).length === 0
          ? {}
          : { scalarVariables: resolveVariables(variables, step.since) }),
      },
      advance.call,
    );
    executionId = taken.pipelineExecutionId;
  } catch (error) {
    if (isOutcomeUnknown(error)) return indeterminate(advance, lost);
    await rethrowUnsent(advance, error);
    return refused(advance, verify, step.since, error);
  }
  const since = ports.clock.now();
  advance.saveWithNext({
    what: 'started',
    data: { executionId, pipeline, tag },
    intent: null,
    step: {
      name: 'watch',
      verify: step.verify,
      since,
      executionId,
      ...(usualMs === undefined ? {} : { usualMs }),
    },
  });
  return waitFor(learnedDelay(since, usualMs, ports));
}

/**
 * The usual duration in milliseconds; undefined if it is not known. Never throws: it only decides when the execution is
 * polled first, and an error would leave an intent whose effect was never sent.
 */
async function usualDuration({ lane, ports }: Advance, pipeline: string): Promise<number | undefined> {
  try {
    return await ports.durations.median({ project: lane.project, environment: lane.to, pipeline });
  } catch (error) {
    ports.logger.warn('Reading the usual duration of an execution failed.', { error: messageOf(error) });
    return undefined;
  }
}

/** Handles a start that was refused, by the error and the lane's policy. */
async function refused(
  advance: Advance,
  { pipeline, timeout }: Verification,
  startingSince: number,
  error: unknown,
): Promise<StepEnd> {
  const { lane, ports } = advance;
  const reason = messageOf(error);
  const busy = error instanceof TagConflict;
  if (busy) ports.metrics.tagConflicts.inc();
  const onConflict = lane.onConflict ?? 'wait';
  await advance.save({
    what: busy ? 'tag-busy' : 'start-refused',
    data: { error: reason },
    intent: null,
    ...(busy && onConflict === 'wait'
      ? { report: { state: 'pending', text: `Waiting: ${pipeline} is running in ${lane.to}` } }
      : {}),
  });
  if (busy && onConflict !== 'wait') return conflict(advance, pipeline, onConflict);
  const limit = lane.limits?.step ?? timeout;
  if ((busy || isTransient(error)) && ports.clock.now() - startingSince < limit) {
    return waitFor(pollDelay(startingSince, ports));
  }
  if (busy || isTransient(error) || isCredentialFault(error)) {
    return finishWithError(advance, `${pipeline} could not be started in ${lane.to}: ${reason}`);
  }
  return unverified(advance, `${pipeline} could not be started: ${reason}`);
}

/** Another execution has the tag, and the lane does not wait for its end. */
async function conflict(advance: Advance, pipeline: string, policy: 'fail' | 'skip'): Promise<StepEnd> {
  const { lane, promotion } = advance;
  const reason = `${pipeline} was running in ${lane.to} already`;
  if (policy === 'fail') return unverified(advance, reason);
  const message = `${reason}; ${promotion.version ?? ''} stays there unverified`;
  return advance.finish({ outcome: 'nothing-to-do', message, report: { state: 'error', text: message } });
}

const dayMs = 86_400_000;

/** Values of millrace.yaml that mean a day; any other value is sent as written. */
const days: Readonly<Record<string, number>> = { today: 0, yesterday: -1, tomorrow: 1 };

/**
 * The variables of a verification as sent. `today`, `yesterday` and `tomorrow` become the date (YYYY-MM-DD,
 * UTC) of the day on which the verification began. The record holds that moment, so that a worker that
 * continues the promotion later, on another day or machine, sends the same.
 */
export function resolveVariables(
  variables: Readonly<Record<string, string>>,
  since: number,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const shift = Object.hasOwn(days, value) ? days[value] : undefined;
      return [name, shift === undefined ? value : new Date(since + shift * dayMs).toISOString().slice(0, 10)];
    }),
  );
}
