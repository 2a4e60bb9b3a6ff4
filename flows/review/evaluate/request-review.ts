import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { AnswerUnreadable, ClientError } from '../../../client/index.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { PlatformContext } from '../../context/context.ts';
import { untilDeadline } from '../../context/until-deadline.ts';
import type { AnsweredResult } from './platform-raw-findings.ts';
import type { ReviewRequest } from '../scope/review-request.ts';

/** Files per request. The specification does not show how many a deployment accepts (docs/unknowns.md). */
const batchSize = 200;
/** Concurrent requests. */
const concurrency = 4;
/**
 * After this many failed requests the platform is at fault, not a file: one bad file among 200 costs about eight
 * requests.
 */
const maxFailures = 40;
/** A batch may take longer than other calls, but a dead connection must not use up the whole time limit. */
const answerTimeoutMs = 180_000;

export interface PlatformAnswer {
  /** The worst status of all batches. */
  readonly reviewStatus: string;
  readonly results: ReadonlyMap<string, readonly AnsweredResult[]>;
  readonly excluded: readonly string[];
  /** Files that were not reviewed, with the failure: of a request for that file alone, or of its batch. */
  readonly failed: ReadonlyMap<string, Failure>;
}

type Batch = Omit<PlatformAnswer, 'failed'>;

/**
 * Whether the failure may be caused by a file of the batch: the request is refused or too large (4xx), the platform
 * fails (500), or the answer is unreadable. A missing answer, a lost connection and 502, 503 or 504 tell nothing
 * about the files. Any other failure (no token, unknown commit) would be the same for each half.
 */
function mayBeCausedByFile(error: unknown): error is Failure {
  if (!(error instanceof Failure)) return false;
  if (error.code === 'request-invalid') return true;
  if (error instanceof AnswerUnreadable) return !error.isForeign;
  const status = error instanceof ClientError ? error.status : undefined;
  return error.code === 'platform-failed' && ![408, 502, 503, 504].includes(status ?? 500);
}

/**
 * Whether the failure may concern this batch only: something between the client and the platform answered with a page of
 * its own or refused the request, or a gateway failed. The other batches may be answered all the same.
 */
function mayConcernOneBatch(error: unknown): error is Failure {
  if (error instanceof AnswerUnreadable) return error.isForeign;
  if (!(error instanceof ClientError)) return false;
  if (error.code === 'forbidden') return true;
  return error.code === 'platform-failed' && [408, 502, 503, 504].includes(error.status ?? 0);
}

/**
 * Requests a review of the files from the platform, in batches, several at a time. A batch that fails because of a
 * file is split and sent again, so that one bad file does not hide the others; the same applies to a batch whose
 * answer is a web page. `deadline` (epoch milliseconds) limits all batches together. Throws what the client throws,
 * also if no file could be reviewed, and Failure 'no-answer' when the deadline has passed.
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
  // If one batch ends with an error, the answers of the others are not needed: abort them.
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const timeoutFailure = (cause?: unknown): Failure =>
    new Failure('no-answer', {
      message: `The platform did not finish the review of ${numberOf(paths.length, 'file')} within the time limit${cause === undefined ? '.' : `: ${messageOf(cause)}`}`,
      hint: 'Try again, or raise the time limit: --timeout, on GitHub the input timeout.',
      ...(cause === undefined ? {} : { cause }),
    });

  const requestBatch = async (pipelines: readonly string[]): Promise<readonly Batch[]> => {
    signal.throwIfAborted();
    if (clock.now() >= deadline) throw timeoutFailure();
    try {
      const review = await client.reviews.create(
        { projectId, agentVersion, branchName: branch, commitId: commit, pipelines: [...pipelines] },
        { ...untilDeadline(deadline, { clock, signal }), timeoutMs: answerTimeoutMs },
      );
      const { reviewStatus, results, excludedFiles } = review;
      return [{ reviewStatus, results: new Map(Object.entries(results)), excluded: excludedFiles ?? [] }];
    } catch (error) {
      signal.throwIfAborted();
      if (clock.now() >= deadline) throw timeoutFailure(error);
      failures += 1;
      if (mayConcernOneBatch(error)) {
        for (const file of pipelines) failed.set(file, error);
        return [];
      }
      if (!mayBeCausedByFile(error) || failures > maxFailures) throw error;
      const [first = ''] = pipelines;
      if (pipelines.length === 1) {
        failed.set(first, error);
        return [];
      }
      const middle = Math.ceil(pipelines.length / 2);
      return [
        ...(await requestBatch(pipelines.slice(0, middle))),
        ...(await requestBatch(pipelines.slice(middle))),
      ];
    }
  };

  const batches = Array.from({ length: Math.ceil(paths.length / batchSize) }, (_, index) =>
    paths.slice(index * batchSize, (index + 1) * batchSize),
  );
  const answers = (
    await mapConcurrently(batches, requestBatch, () => stop.abort(new Error('another batch failed')))
  ).flat();
  const [failure] = failed.values();
  if (answers.length === 0 && failure !== undefined) throw failure;
  return { ...merge(answers), failed };
}

/** Maps items concurrently; the answers have the order of the items. Rejects with the first error. */
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
    // An unknown status is worse than FAILED, because its meaning is unknown.
    reviewStatus: bad.find((status) => status.toUpperCase() !== 'FAILED') ?? bad[0] ?? 'PASSED',
    results: new Map(answers.flatMap(({ results }) => [...results])),
    excluded: answers.flatMap(({ excluded }) => excluded),
  };
}
