import { AnswerUnreadable, ClientError } from '../../client/index.ts';
import { Failure } from '../../lib/core/failure.ts';
import { numberOf } from '../../lib/core/number-of.ts';
import type { PlatformContext } from '../context/context.ts';
import { untilDeadline } from '../context/until-deadline.ts';
import type { AnsweredResult } from './platform-raw-findings.ts';
import type { ReviewRequest } from './review-request.ts';

/** How many files go into one request; what a deployment takes is not shown (docs/unknowns.md). */
const batchSize = 200;
/** Requests that are under way at a time. */
const concurrency = 4;
/** Failed requests after which it is the platform that is ill, not a file: one bad file of 200 costs about eight. */
const maxFailures = 40;
/** A batch may take longer to be answered than other calls; a connection that died must not take all of the time. */
const answerTimeoutMs = 180_000;

export interface PlatformAnswer {
  /** The worst of all batches. */
  readonly reviewStatus: string;
  readonly results: ReadonlyMap<string, readonly AnsweredResult[]>;
  readonly excluded: readonly string[];
  /** Files for which the platform failed even alone, and how. */
  readonly failed: ReadonlyMap<string, Failure>;
}

type Batch = Omit<PlatformAnswer, 'failed'>;

/**
 * Whether the answer says that the batch is at fault: it is refused or too large (4xx), breaks the platform (500), or comes
 * back unreadable. Silence, a lost connection and 502, 503 or 504 say nothing about the files, and anything else (no
 * token, unknown commit) would be the same for each half.
 */
function blamesBatch(error: unknown): error is Failure {
  if (!(error instanceof Failure)) return false;
  if (error.code === 'request-invalid') return true;
  if (error instanceof AnswerUnreadable) return !error.isForeign;
  const status = error instanceof ClientError ? error.status : undefined;
  return error.code === 'platform-failed' && ![408, 502, 503, 504].includes(status ?? 500);
}

/**
 * Has the platform review files in batches, a few at a time. A batch that is at fault is repeated in halves, so that one
 * bad file does not hide the rest. `deadline` (epoch milliseconds) bounds it all. Throws what the client throws, also
 * where no file at all could be reviewed, and Failure 'no-answer' where the time was up.
 */
export async function requestReview(
  {
    branch,
    agentVersion,
    deadline = Infinity,
  }: Pick<ReviewRequest, 'branch' | 'agentVersion'> & { readonly deadline?: number },
  commit: string,
  paths: readonly string[],
  context: PlatformContext,
): Promise<PlatformAnswer> {
  const { client, projectId, clock } = context;
  const failed = new Map<string, Failure>();
  let failures = 0;
  // What ends one batch ends the others: nobody wants their answers any more.
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const timeIsUp = (cause?: unknown): Failure =>
    new Failure('no-answer', {
      message: `The platform did not review ${numberOf(paths.length, 'file')} within the time limit${cause instanceof Error ? `: ${cause.message}` : '.'}`,
      hint: 'Try again, or raise the time limit: --timeout, on GitHub the input timeout.',
      ...(cause === undefined ? {} : { cause }),
    });

  const ask = async (pipelines: readonly string[]): Promise<readonly Batch[]> => {
    signal.throwIfAborted();
    if (clock.now() >= deadline) throw timeIsUp();
    try {
      const review = await client.reviews.create(
        { projectId, agentVersion, branchName: branch, commitId: commit, pipelines: [...pipelines] },
        { ...untilDeadline(deadline, { clock, signal }), timeoutMs: answerTimeoutMs },
      );
      const { reviewStatus, results, excludedFiles } = review;
      return [{ reviewStatus, results: new Map(Object.entries(results)), excluded: excludedFiles ?? [] }];
    } catch (error) {
      signal.throwIfAborted();
      if (clock.now() >= deadline) throw timeIsUp(error);
      failures += 1;
      if (!blamesBatch(error) || failures > maxFailures) throw error;
      const [first = ''] = pipelines;
      if (pipelines.length === 1) {
        failed.set(first, error);
        return [];
      }
      const middle = Math.ceil(pipelines.length / 2);
      return [...(await ask(pipelines.slice(0, middle))), ...(await ask(pipelines.slice(middle)))];
    }
  };

  const batches = Array.from({ length: Math.ceil(paths.length / batchSize) }, (_, index) =>
    paths.slice(index * batchSize, (index + 1) * batchSize),
  );
  const answers = (
    await mapConcurrently(batches, ask, () => stop.abort(new Error('another batch failed')))
  ).flat();
  const [failure] = failed.values();
  if (answers.length === 0 && failure !== undefined) throw failure;
  return { ...merge(answers), failed };
}

/** All the work, so many pieces at a time, answers in the order of the pieces. The first failure ends it. */
async function mapConcurrently<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
  onFailure: () => void,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) answers[index] = await work(item);
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, worker));
  } catch (error) {
    onFailure();
    throw error;
  }
  return answers;
}

function merge(answers: readonly Batch[]): Batch {
  const bad = answers
    .map(({ reviewStatus }) => reviewStatus)
    .filter((status) => status.toUpperCase() !== 'PASSED');
  return {
    // A word that is not known is worse than FAILED: nobody can tell what it means.
    reviewStatus: bad.find((status) => status.toUpperCase() !== 'FAILED') ?? bad[0] ?? 'PASSED',
    results: new Map(answers.flatMap(({ results }) => [...results])),
    excluded: answers.flatMap(({ excluded }) => excluded),
  };
}
