import { messageOf } from '../../lib/core/errors/message-of.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { meantClause } from '../../lib/core/text/did-you-mean.ts';
import type { PlatformContext } from '../context/context.ts';
import { pollInterval } from '../run/poll-interval.ts';
import { createPollErrorTracker } from '../run/poll-errors.ts';
import { untilDeadline } from '../context/until-deadline.ts';
import type { KnownPipelines } from './known-pipelines.ts';

export interface CommandRequest {
  readonly command: 'start' | 'stop';
  /** Known names, or ids. */
  readonly pipelines: readonly string[];
  readonly known: KnownPipelines;
  /** Wait until the pipeline streams, or has stopped. */
  readonly wait: boolean;
  /** Time limit in milliseconds for requests and waiting. */
  readonly timeoutMs: number;
  readonly dryRun: boolean;
}

export interface StreamingReport {
  /** `indeterminate`: the status could not be read within the time limit. */
  readonly outcome: 'passed' | 'already-done' | 'failed' | 'indeterminate';
  readonly pipeline: string;
  readonly id: string;
  /** The last known status, in lower case as in the specification; deployments also use upper case (unknowns §6). */
  readonly status: string;
  /** The platform says that it only simulates streaming. */
  readonly simulated?: true;
  /** What the platform says of a start that failed, or has to try again. */
  readonly reason?: string;
  readonly timedOut: boolean;
  /** Why the outcome is `indeterminate`. */
  readonly problem?: string;
  readonly hint?: string;
  readonly dryRun: boolean;
}

export interface CommandReport {
  /** The worst outcome. */
  readonly outcome: StreamingReport['outcome'];
  readonly pipelines: readonly StreamingReport[];
}

const ends = { start: ['streaming'], stop: ['not_running'] } as const;
const running = ['starting', 'snapshotting', 'streaming'];
/** Time limit in milliseconds of a poll that starts at the deadline. */
const lastPollMs = 3_000;

/**
 * Starts or stops streaming pipelines (spec §3.1) within one time limit: all commands are sent before the first wait. With `wait`,
 * waits for the result. No command is sent to a pipeline that is already in the wanted state, or changing to it. A pipeline
 * that was started and stops running has failed. Temporary errors while polling are retried.
 * Throws what the client throws, and Failure 'not-found' for an unknown name.
 */
export async function commandStreaming(
  request: CommandRequest,
  context: PlatformContext,
): Promise<CommandReport> {
  const deadline = context.clock.now() + request.timeoutMs;
  const commanded: Commanded[] = [];
  for (const pipeline of request.pipelines) {
    commanded.push(await send({ ...request, pipeline }, deadline, context));
  }
  const pipelines: StreamingReport[] = [];
  for (const pipeline of commanded) pipelines.push(await awaitEnd(pipeline, request, deadline, context));
  const outcomes = new Set(pipelines.map(({ outcome }) => outcome));
  const worst = (['indeterminate', 'failed', 'passed'] as const).find((outcome) => outcomes.has(outcome));
  return { outcome: worst ?? 'already-done', pipelines };
}

interface Commanded {
  readonly pipeline: string;
  readonly id: string;
  readonly state: StreamingState;
  /** The pipeline already was in the wanted state, or changing to it: no command was sent. */
  readonly inEffect: boolean;
}

async function send(
  {
    command,
    pipeline,
    known: knownPipelines,
    wait,
    dryRun,
  }: Omit<CommandRequest, 'pipelines'> & { readonly pipeline: string },
  deadline: number,
  context: PlatformContext,
): Promise<Commanded> {
  const { client, projectId, signal, clock, random, progress } = context;
  const id = idOf(pipeline, knownPipelines, projectId);
  const state = await streamingState(id, context, deadline);
  const { status } = state;
  const inEffect =
    command === 'start' ? running.includes(status) : ['stopping', 'not_running'].includes(status);
  const commanded = { pipeline, id, state, inEffect };
  if (inEffect || dryRun) return commanded;
  if (clock.now() >= deadline) {
    throw new Failure('no-answer', {
      message: `The time limit passed before Millrace could send the command "${command}" to ${pipeline}.`,
      hint: 'Run the command again with a longer --timeout. It skips pipelines that are already in the wanted state.',
    });
  }
  progress.step(`${command === 'start' ? 'Starting' : 'Stopping'} ${pipeline}`);
  const startTime = clock.now();
  for (;;) {
    try {
      await client.streamingPipelines.command(
        { projectId, streamingPipelineId: id, command },
        untilDeadline(deadline, context),
      );
      return commanded;
    } catch (error) {
      // The command may be repeated, so temporary errors are retried if the caller waits.
      const { isRefusal, askedMs } = createPollErrorTracker(clock).classify(error);
      const left = deadline - clock.now();
      if (!wait || isRefusal || signal.aborted || left <= 0) throw error;
      progress.step(`${pipeline}: the command ${command} failed (${String(error)})`);
      await clock.sleep(
        Math.min(Math.max(pollInterval(clock.now() - startTime, random), askedMs), left),
        signal,
      );
      if (clock.now() >= deadline) throw error;
    }
  }
}

async function awaitEnd(
  { pipeline, id, inEffect, state: first }: Commanded,
  { command, wait, dryRun }: Pick<CommandRequest, 'command' | 'wait' | 'dryRun'>,
  deadline: number,
  context: PlatformContext,
): Promise<StreamingReport> {
  const { signal, clock, random, progress } = context;
  let state = first;
  const report = { pipeline, id, timedOut: false, dryRun };
  if (dryRun || !wait)
    return { ...report, ...reportedState(state), outcome: inEffect ? 'already-done' : 'passed' };

  const unknown = (problem: string): Pick<StreamingReport, 'outcome' | 'problem' | 'hint'> => ({
    outcome: 'indeterminate',
    problem,
    hint: `Check its status: \`millrace streaming status ${pipeline}\`.`,
  });
  const startTime = clock.now();
  const pollErrors = createPollErrorTracker(clock);
  let hasRun = false;
  let hasPolled = false;
  let pollError: string | undefined;
  let askedMs = 0;
  for (;;) {
    const { status } = state;
    if (pollError === undefined) {
      if (ends[command].some((end) => end === status)) {
        return { ...report, ...reportedState(state), outcome: inEffect ? 'already-done' : 'passed' };
      }
      hasRun ||= running.includes(status);
      // The old status remains until the runner has received the command. A reason in a later answer is of this start.
      const hasFailed = hasRun || (hasPolled && state.reason !== undefined);
      if (command === 'start' && hasFailed && status === 'not_running')
        return { ...report, ...reportedState(state), outcome: 'failed' };
    }
    const left = deadline - clock.now();
    if (left <= 0) {
      const timedOut = { ...report, ...reportedState(state), timedOut: true };
      if (pollError !== undefined) return { ...timedOut, ...unknown(pollError) };
      return { ...timedOut, outcome: 'failed' };
    }
    const age = clock.now() - startTime;
    const seen = pollError === undefined ? status : `cannot be read (${pollError})`;
    progress.step(`${pipeline}: ${seen} for ${String(Math.round(age / 1000))} s`);
    await clock.sleep(Math.min(Math.max(pollInterval(age, random), askedMs), left), signal);
    [pollError, askedMs] = [undefined, 0];
    try {
      state = await streamingState(id, context, deadline);
      hasPolled = true;
      pollErrors.succeeded();
    } catch (error) {
      signal.throwIfAborted();
      const verdict = pollErrors.classify(error);
      pollError = messageOf(error);
      if (verdict.isFinal) return { ...report, ...reportedState(state), ...unknown(pollError) };
      askedMs = verdict.askedMs;
    }
  }
}

/** The status of a streaming pipeline in lower case, and the platform's further information about it. */
export interface StreamingState {
  readonly status: string;
  readonly simulated?: true;
  readonly reason?: string;
  /** What the target is behind. */
  readonly lag?: { readonly bytes: number; readonly seconds: number };
  /** What happens in the source if the pipeline stays as it is. */
  readonly warning?: string;
}

/** Reads the state of a streaming pipeline from the platform. Throws what the client throws. */
export async function streamingState(
  id: string,
  context: PlatformContext,
  deadline: number = Infinity,
): Promise<StreamingState> {
  const { client, projectId, signal } = context;
  const { status, simulated, reason, hint, lag, warning } = await client.streamingPipelines.status(
    { projectId, streamingPipelineId: id },
    deadline === Infinity ? { signal } : untilDeadline(deadline, context, lastPollMs),
  );
  const sentences = [reason, hint].filter((sentence) => sentence !== undefined && sentence !== '').join(' ');
  return {
    status: status.toLowerCase(),
    ...(simulated === true ? { simulated } : {}),
    ...(sentences === '' ? {} : { reason: sentences }),
    ...(lag === undefined ? {} : { lag: { bytes: lag.bytes, seconds: lag.seconds } }),
    ...(warning === undefined ? {} : { warning }),
  };
}

function reportedState({
  status,
  simulated,
  reason,
}: StreamingState): Pick<StreamingReport, 'status' | 'simulated' | 'reason'> {
  return { status, ...(simulated ? { simulated } : {}), ...(reason === undefined ? {} : { reason }) };
}

/**
 * The id of a streaming pipeline by name; a UUID is returned as it is. Throws Failure 'not-found' and
 * 'outcome-unknown'.
 */
export function idOf(pipeline: string, knownPipelines: KnownPipelines, projectId: string): string {
  const entry = knownPipelines.of(projectId).get(pipeline);
  if (entry !== undefined && 'id' in entry) return entry.id;
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(pipeline)) return pipeline;
  if (entry !== undefined) {
    throw new Failure('outcome-unknown', {
      message: `The creation of the streaming pipeline "${pipeline}" was started at ${entry.creating}, and its outcome is unknown.`,
      hint: 'Look for the streaming pipeline on the platform. If it exists, put its id into streaming-ids.json (or the file of --ids).',
    });
  }
  const names = [...knownPipelines.of(projectId).keys()];
  throw new Failure('not-found', {
    message: `No streaming pipeline "${pipeline}" is known in this project${meantClause(pipeline, names) || '.'}`,
    where: { input: 'NAME' },
    hint:
      names.length === 0
        ? 'Apply its definition first, or give its id. The ids of applied definitions are in streaming-ids.json in the project’s folder; --ids names another file.'
        : `The known names are ${names.join(', ')}. You can also give an id.`,
  });
}
