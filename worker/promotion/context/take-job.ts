import type { DeadLetters } from '../../store/jobs/dead-letters.ts';
import type { Canaries } from '../../store/jobs/canaries.ts';
import type { DeadLetterStore, Policy, StateKnowledge, Telemetry, Timing } from './ports.ts';
import { delayJob, JobGivenUp, type QueuedJob } from '../../queue/queued-job.ts';
import { canaryId, canaryName, isKnown, type QueueName } from '../../store/jobs/job-kinds.ts';
import { NewerFormat } from '../../store/scripts/newer-format.ts';
import { type Quarantine, quarantineFrom } from '../../store/jobs/quarantine.ts';
import type { UnfinishedTries } from '../../store/jobs/unfinished-tries.ts';

export interface JobContext {
  readonly ports: DeadLetterStore &
    Pick<Policy, 'settings'> &
    Pick<Timing, 'random'> &
    Pick<Telemetry, 'logger' | 'metrics'> &
    Pick<StateKnowledge, 'format'>;
  readonly canaries: Canaries;
  readonly quarantine: Quarantine;
  readonly tries: UnfinishedTries;
}

/** A canary is for one process; any other process puts it back for this long. */
const passOnMs = 300;
/** Age from which the process that sent it is considered dead. */
const staleCanaryMs = 120_000;
/** Delay for a job that only a newer worker knows. */
const leaveMs = 5_000;
/** Short, because this worker takes no job after it: it stands by. */
const leaveToNewerMs = 100;
const quarantineDelayMs = 1_500;

/**
 * Decides what to do with a job before its work begins. Records that the queue works; returns a canary to its
 * process; leaves a kind of job that this version does not know, or any job after the records got a newer format,
 * to a newer worker; runs a job alone if it was running in several crashes in a row, and finally gives it up.
 */
export async function takeJob<Data, Result>(
  queue: QueueName,
  job: QueuedJob<Data>,
  token: string | undefined,
  work: () => Promise<Result>,
  { ports, canaries, quarantine, tries }: JobContext,
): Promise<Result | undefined> {
  const { random, logger } = ports;
  const later = (ms: number): Promise<never> => delayJob(job, token, ms * (0.5 + random()));
  canaries.worked(queue);
  if (job.name === canaryName) {
    const isOurs = job.id === canaryId(canaries.worker);
    if (isOurs || Date.now() - job.timestamp > staleCanaryMs) return undefined;
    return later(passOnMs);
  }
  if (!isKnown(queue, job)) {
    logger.warn(
      'This version of the worker does not know the kind of a job, so it leaves the job to another worker.',
      {
        queue,
        kind: job.name,
        job_id: job.id,
      },
    );
    return later(leaveMs);
  }
  if (ports.format.newer !== undefined) return later(leaveToNewerMs);
  try {
    return await takeKnownJob(queue, job, { work, later }, { ports, quarantine, tries });
  } catch (error) {
    if (error instanceof NewerFormat) return later(leaveToNewerMs);
    throw error;
  }
}

interface KnownJob<Result> {
  readonly work: () => Promise<Result>;
  readonly later: (ms: number) => Promise<never>;
}

async function takeKnownJob<Data, Result>(
  queue: QueueName,
  job: QueuedJob<Data>,
  { work, later }: KnownJob<Result>,
  { ports, quarantine, tries }: Omit<JobContext, 'canaries'>,
): Promise<Result | undefined> {
  const { settings } = ports;
  // The record of a promotion counts its crashes more precisely. A job that was never lost has nothing to
  // count.
  if (queue === 'promotion' || job.stalledCounter === 0) return work();
  const id = job.id ?? '';
  // The crash that lost it first was not counted yet.
  const crashes = 1 + (await tries.count(queue, id));
  if (crashes > settings.maxCrashes) {
    await tries.forget(queue, id);
    return giveUpPoisonJob(queue, job, crashes, ports);
  }
  const counted = (): Promise<Result> => tries.within(queue, id, work);
  if (crashes < quarantineFrom) return counted();
  const ran = await quarantine.runAlone(counted);
  return ran === undefined ? later(quarantineDelayMs) : ran.done;
}

async function giveUpPoisonJob<Data>(
  queue: QueueName,
  job: QueuedJob<Data>,
  crashes: number,
  ports: Pick<Telemetry, 'logger' | 'metrics'> & DeadLetterStore,
): Promise<never> {
  const cause = `the worker process crashed ${crashes} times while this job ran`;
  await giveUp(ports, { queue, id: `${queue}-${job.id ?? ''}`, kind: 'poison', cause, data: job.data });
  throw new JobGivenUp(cause);
}

/** Moves a job to the dead letters, where a person can replay it, and logs an error. */
export async function giveUp(
  { deadLetters, logger, metrics }: Pick<Telemetry, 'logger' | 'metrics'> & DeadLetterStore,
  letter: Parameters<DeadLetters['add']>[0],
): Promise<void> {
  await deadLetters.add(letter);
  if (letter.kind === 'poison') metrics.poisonJobs.inc({ queue: letter.queue });
  logger.error('A job was given up and moved to the dead letters.', {
    queue: letter.queue,
    dead_letter: letter.id,
    kind: letter.kind,
    cause: letter.cause,
  });
}
