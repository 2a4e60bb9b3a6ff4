import { Failure } from '../../model/failure.ts';
import type { PlatformContext } from '../context.ts';
import type { AnsweredResult } from './platform-drafts.ts';
import type { ReviewRequest } from './review-request.ts';

/** How many files go into one request; what a deployment takes is not shown (docs/unknowns.md). */
const batchSize = 200;
/** Requests that are under way at a time. */
const concurrency = 4;
/** Failed requests after which it is the platform that is ill, not a file: one bad file of 200 costs about eight. */
const patience = 40;

export interface PlatformAnswer {
  /** The worst of all batches. */
  readonly reviewStatus: string;
  readonly results: ReadonlyMap<string, readonly AnsweredResult[]>;
  readonly excluded: readonly string[];
  /** Files for which the platform failed even alone, and how. */
  readonly failed: ReadonlyMap<string, Failure>;
}

type Batch = Omit<PlatformAnswer, 'failed'>;

/** What one bad file may cause; anything else (no token, unknown commit, no network) would be the same for each half. */
const byContent: ReadonlySet<string> = new Set([
  'request-invalid',
  'platform-failed',
  'answer-unreadable',
  'no-answer',
]);

/**
 * Has the platform review files in batches, a few at a time. A batch that fails is repeated in halves, so that one
 * bad file does not hide the rest. Throws what the client throws, also where no file at all could be reviewed.
 */
export async function askPlatform(
  { branch, agentVersion }: Pick<ReviewRequest, 'branch' | 'agentVersion'>,
  commit: string,
  paths: readonly string[],
  { client, projectId, signal }: PlatformContext,
): Promise<PlatformAnswer> {
  const failed = new Map<string, Failure>();
  let failures = 0;

  const ask = async (pipelines: readonly string[]): Promise<readonly Batch[]> => {
    try {
      const review = await client.reviews.create(
        { projectId, agentVersion, branchName: branch, commitId: commit, pipelines: [...pipelines] },
        { signal },
      );
      const { reviewStatus, results, excludedFiles } = review;
      return [{ reviewStatus, results: new Map(Object.entries(results)), excluded: excludedFiles ?? [] }];
    } catch (error) {
      failures += 1;
      if (!(error instanceof Failure) || !byContent.has(error.code) || failures > patience) throw error;
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
  const answers = (await inTurns(batches, ask)).flat();
  const [failure] = failed.values();
  if (answers.length === 0 && failure !== undefined) throw failure;
  return { ...merge(answers), failed };
}

/** All the work, so many pieces at a time, answers in the order of the pieces. The first failure ends it. */
async function inTurns<Piece, Answer>(
  pieces: readonly Piece[],
  work: (piece: Piece) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const queue = pieces.entries();
  const worker = async () => {
    for (const [index, piece] of queue) answers[index] = await work(piece);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
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
