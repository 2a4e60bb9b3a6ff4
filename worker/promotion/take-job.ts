import { type Job, UnrecoverableError } from 'bullmq';
import type { Canaries } from '../store/canaries.ts';
import type { Engine } from './engine.ts';
import { delayJob } from './delay-job.ts';
import { canaryId, canaryName, isKnown, type QueueName } from '../store/job-kinds.ts';
import { type Quarantine, quarantineFrom } from '../store/quarantine.ts';
import type { UnfinishedTries } from '../store/unfinished-tries.ts';

export interface JobContext {
  readonly engine: Engine;
  readonly canaries: Canaries;
  readonly quarantine: Quarantine;
  readonly tries: UnfinishedTries;
}

/** A canary is for one process; whoever else gets it puts it back for so long. */
const passOnMs = 300;
/** The process that sent it is gone. */
const staleCanaryMs = 120_000;
/** A job that a newer worker knows. */
const leaveMs = 5_000;
const quarantineDelayMs = 1_500;

/**
 * What comes before the work of any job: it shows that the queue works; canaries go home; kinds that this version does
 * not know are left for the worker that knows them; a job that was under way in several crashes in a row is taken
 * alone, and given up in the end.
 */
export async function takeJob<Data, Result>(
  queue: QueueName,
  job: Job<Data>,
  token: string | undefined,
  work: () => Promise<Result>,
  { engine, canaries, quarantine, tries }: JobContext,
): Promise<Result | undefined> {
  const { random, logger, settings } = engine;
  const later = (ms: number): Promise<never> => delayJob(job, token, ms * (0.5 + random()));
  canaries.worked(queue);
  if (job.name === canaryName) {
    const isOurs = job.id === canaryId(canaries.worker);
    if (isOurs || Date.now() - job.timestamp > staleCanaryMs) return undefined;
    return later(passOnMs);
  }
  if (!isKnown(queue, job)) {
    logger.warn('A job of a kind that this version does not know is left for another worker.', {
      queue,
      kind: job.name,
      job_id: job.id,
    });
    return later(leaveMs);
  }
  // Of a promotion its own record tells more. A job that was never lost has nothing to be counted.
  if (queue === 'promotion' || job.stalledCounter === 0) return work();
  const id = job.id ?? '';
  // What made it be lost first was not counted yet.
  const crashes = 1 + (await tries.count(queue, id));
  if (crashes > settings.maxCrashes) {
    await tries.forget(queue, id);
    return giveUpPoisonJob(queue, job, crashes, engine);
  }
  const counted = (): Promise<Result> => tries.within(queue, id, work);
  if (crashes < quarantineFrom) return counted();
  const runAlone = await quarantine.runAlone(counted);
  return runAlone === undefined ? later(quarantineDelayMs) : runAlone.done;
}

async function giveUpPoisonJob<Data>(
  queue: QueueName,
  job: Job<Data>,
  crashes: number,
  engine: Engine,
): Promise<never> {
  const cause = `its worker ended ${crashes} times while it was being done`;
  await giveUp(engine, { queue, id: `${queue}-${job.id ?? ''}`, kind: 'poison', cause, data: job.data });
  throw new UnrecoverableError(cause);
}

/** Sets a job aside for a person to look at; says so loudly. */
export async function giveUp(
  { deadLetters, logger, metrics }: Pick<Engine, 'deadLetters' | 'logger' | 'metrics'>,
  letter: Parameters<Engine['deadLetters']['add']>[0],
): Promise<void> {
  await deadLetters.add(letter);
  if (letter.kind === 'poison') metrics.poisonJobs.inc({ queue: letter.queue });
  logger.error('A job was given up; it waits among the dead letters.', {
    queue: letter.queue,
    dead_letter: letter.id,
    kind: letter.kind,
    cause: letter.cause,
  });
}
