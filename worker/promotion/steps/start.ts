import { TagConflict } from '../../../client/index.ts';
import { executionTag } from '../../../flows/run/execution-tag.ts';
import type { Verification } from '../../records/configured.ts';
import { learnedDelay, pollDelay } from '../poll-delay.ts';
import { settleVariables } from '../settle-variables.ts';
import {
  goOn,
  isCredentialFault,
  isPassing,
  isUnknown,
  rethrowUnsent,
  type StepEnd,
  type Turn,
  waitFor,
  wordsOf,
} from '../turn.ts';
import { held } from './promote.ts';
import { indeterminate, stuck, unverified } from './verdict.ts';

/**
 * Starts a verify pipeline with the version that was promoted. A start is sent once: the tag guards only while an
 * execution runs, and no call lists executions, so that a lost answer cannot be looked up (unknowns §2).
 */
export async function start(turn: Turn): Promise<StepEnd> {
  const { run, lane, engine } = turn;
  const { step } = run;
  if (step.name !== 'start') return goOn;
  const verify = lane.verify[step.verify];
  if (verify === undefined) return stuck(turn, 'the run names a verification that is not there');
  const { pipeline, variables } = verify;
  const tag = executionTag(lane.project, lane.to, pipeline);
  const lost = `whether ${pipeline} was started in ${lane.to} is not known: look for an execution with the tag ${tag} and the version ${run.version ?? ''}`;
  if (run.intent !== undefined) return indeterminate(turn, lost);

  const usualMs = await engine.durations.median({ project: lane.project, environment: lane.to, pipeline });
  if (!(await turn.intend('start', `${pipeline} in ${lane.to}, tag ${tag}`))) return held(turn);
  let executionId: string;
  // Around the call alone: once it was taken, a Redis that refuses the record must not look like a refused start.
  try {
    const taken = await turn.client.executions.start(
      {
        projectId: lane.project,
        pipelineName: pipeline,
        environmentName: lane.to,
        executionTag: tag,
        versionName: run.version ?? '',
        ...(Object.keys(variables).length === 0
          ? {}
          : { scalarVariables: settleVariables(variables, step.since) }),
      },
      turn.call,
    );
    executionId = taken.pipelineExecutionId;
  } catch (error) {
    if (isUnknown(error)) return indeterminate(turn, lost);
    await rethrowUnsent(turn, error);
    return refused(turn, verify, step.since, error);
  }
  const since = engine.clock.now();
  await turn.save({
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
  return waitFor(learnedDelay(since, usualMs, engine));
}

/** It was not started: what comes of that depends on who said so, and why. */
async function refused(
  turn: Turn,
  { pipeline, timeout }: Verification,
  startingSince: number,
  error: unknown,
): Promise<StepEnd> {
  const { lane, engine } = turn;
  const why = wordsOf(error);
  const busy = error instanceof TagConflict;
  if (busy) engine.metrics.tagConflicts.inc();
  const onConflict = lane.onConflict ?? 'wait';
  await turn.save({
    what: busy ? 'tag-busy' : 'start-refused',
    data: { error: why },
    intent: null,
    ...(busy && onConflict === 'wait'
      ? { report: { state: 'pending', text: `Waiting: ${pipeline} is running in ${lane.to}` } }
      : {}),
  });
  if (busy && onConflict !== 'wait') return conflict(turn, pipeline, onConflict);
  const limit = lane.limits?.step ?? timeout;
  if ((busy || isPassing(error)) && engine.clock.now() - startingSince < limit) {
    return waitFor(pollDelay(startingSince, engine));
  }
  if (busy || isPassing(error) || isCredentialFault(error)) {
    return stuck(turn, `${pipeline} could not be started in ${lane.to}: ${why}`);
  }
  return unverified(turn, `${pipeline} could not be started: ${why}`);
}

/** Somebody else’s execution has the tag, and the lane does not want to wait for its end. */
async function conflict(turn: Turn, pipeline: string, policy: 'fail' | 'skip'): Promise<StepEnd> {
  const { lane, run } = turn;
  const why = `${pipeline} was running in ${lane.to} already`;
  if (policy === 'fail') return unverified(turn, why);
  const message = `${why}; ${run.version ?? ''} stays there without a verification`;
  return turn.settle({ outcome: 'nothing-to-do', message, report: { state: 'error', text: message } });
}
