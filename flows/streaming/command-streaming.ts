import { Failure } from '../../model/failure.ts';
import { closestWord } from '../../model/closest-word.ts';
import type { PlatformContext } from '../context.ts';
import { pollInterval } from '../poll-interval.ts';
import type { KnownPipelines } from './known-pipelines.ts';

export interface CommandStreamingRequest {
  readonly command: 'start' | 'stop';
  /** A name that is known, or an id. */
  readonly pipeline: string;
  readonly known: KnownPipelines;
  /** Waits until it streams, or no longer does, at most so many milliseconds. */
  readonly wait?: { readonly timeoutMs: number } | undefined;
  readonly dryRun: boolean;
}

export interface StreamingReport {
  readonly outcome: 'passed' | 'already-done' | 'failed';
  readonly pipeline: string;
  readonly id: string;
  /** In lower case, as the specification writes it; deployments are seen to use upper case (unknowns §6). */
  readonly status: string;
  readonly timedOut: boolean;
  readonly dryRun: boolean;
}

const ends = { start: ['streaming'], stop: ['not_running'] } as const;
const running = ['starting', 'snapshotting', 'streaming'];

/**
 * Starts or stops a streaming pipeline (spec §3.1) and, where that is asked for, waits until it is so. One that is so already, or
 * on its way, is sent nothing. A pipeline that was to start and is not running any more has failed.
 * Throws what the client throws; Failure 'not-found' for a name that is not known.
 */
export async function commandStreaming(
  { command, pipeline, known, wait, dryRun }: CommandStreamingRequest,
  context: PlatformContext,
): Promise<StreamingReport> {
  const { client, projectId, signal, clock, random, progress } = context;
  const id = idOf(pipeline, known, projectId);
  let status = await streamingStatus(id, context);
  const onTheWay =
    command === 'start' ? running.includes(status) : ['stopping', 'not_running'].includes(status);
  const report = { pipeline, id, timedOut: false, dryRun };
  if (!onTheWay && !dryRun) {
    progress.step(`${command === 'start' ? 'Starting' : 'Stopping'} ${pipeline}`);
    await client.streamingPipelines.command({ projectId, streamingPipelineId: id, command }, { signal });
  }
  if (dryRun || wait === undefined)
    return { ...report, status, outcome: onTheWay ? 'already-done' : 'passed' };

  const begun = clock.now();
  let begunToRun = false;
  for (;;) {
    if (ends[command].some((end) => end === status)) {
      return { ...report, status, outcome: onTheWay ? 'already-done' : 'passed' };
    }
    begunToRun ||= running.includes(status);
    // Before the runner has taken the command, the old status still stands.
    if (command === 'start' && begunToRun && status === 'not_running')
      return { ...report, status, outcome: 'failed' };
    const age = clock.now() - begun;
    if (age >= wait.timeoutMs) return { ...report, status, outcome: 'failed', timedOut: true };
    progress.step(`${pipeline}: ${status} for ${String(Math.round(age / 1000))} s`);
    await clock.sleep(Math.min(pollInterval(age, random), wait.timeoutMs - age), signal);
    status = await streamingStatus(id, context);
  }
}

/** What a streaming pipeline does now, in lower case. Throws what the client throws. */
export async function streamingStatus(
  id: string,
  { client, projectId, signal }: PlatformContext,
): Promise<string> {
  const { status } = await client.streamingPipelines.status(
    { projectId, streamingPipelineId: id },
    { signal },
  );
  return status.toLowerCase();
}

/** The id of a pipeline by its name; a UUID stands for itself. Throws Failure 'not-found' and 'outcome-unknown'. */
export function idOf(pipeline: string, known: KnownPipelines, projectId: string): string {
  const found = known.of(projectId).get(pipeline);
  if (found !== undefined && 'id' in found) return found.id;
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(pipeline)) return pipeline;
  if (found !== undefined) {
    throw new Failure('outcome-unknown', {
      message: `The creation of "${pipeline}" was begun at ${found.creating}, and its answer is not known.`,
      mend: 'Look on the platform, and put its id into the file of ids.',
    });
  }
  const names = [...known.of(projectId).keys()];
  const meant = closestWord(pipeline, names);
  throw new Failure('not-found', {
    message: `No streaming pipeline "${pipeline}" is known in this project${meant === undefined ? '.' : `; did you mean ${meant}?`}`,
    where: { input: 'NAME' },
    mend:
      names.length === 0
        ? 'Apply its definition first, name its id, or name the file that holds the ids (--ids; else streaming-ids.json in the project’s folder).'
        : `Known are ${names.join(', ')}; an id will do, too.`,
  });
}
