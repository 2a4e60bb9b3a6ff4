import type { PlatformContext } from '../context.ts';
import { Failure } from '../../model/failure.ts';
import { checkProject } from './check-project.ts';
import { conclude } from './conclude.ts';
import { evaluateLocally } from './evaluate-locally.ts';
import { decide } from './gate.ts';
import { type AnsweredResult, platformDrafts } from './platform-drafts.ts';
import { nothingToReview, prepareReview } from './prepare-review.ts';
import type { ReviewReport, ReviewRequest } from './review-request.ts';

/** How many files go into one request; what a deployment takes is not shown (docs/unknowns.md). */
const batchSize = 200;

/**
 * Has the platform review pipelines (spec §4.5) and puts its verdict on lines. The files must be on the remote:
 * the platform reads them at branch and commit.
 * Throws what the client throws, Failure 'git-failed' and 'usage'.
 */
export async function reviewOnPlatform(
  request: ReviewRequest,
  context: PlatformContext,
): Promise<ReviewReport> {
  const { clock, progress, logger, signal } = context;
  if (request.snapshot !== undefined) {
    throw new Failure('usage', {
      message: 'The platform reviews commits on a branch; it cannot see what is not committed (spec §4.5).',
      mend: 'Review the work copy with --local.',
    });
  }
  const prepared = await prepareReview(request, signal);
  const { scope, snapshot } = prepared;
  const base = { ...prepared.base, source: 'platform' as const };
  const checks = checkProject(request, snapshot, scope);
  const { results, rulesFile } = await evaluateLocally(request, snapshot, scope.paths, checks.look);
  const found = await checks.finish();
  if (scope.paths.length === 0 && found.length === 0)
    return { ...base, ...(await nothingToReview(request, prepared, clock)) };
  progress.step(`Having ${scope.paths.length} files reviewed by the platform`);
  const answer = await askPlatform(request, snapshot.commit, scope.paths, context);
  const drafts = [...answer.results].flatMap(([file, own]) =>
    platformDrafts(file, own, results.get(file) ?? [], rulesFile),
  );
  drafts.push(...found);
  const { excused, ...concluded } = await conclude(request, snapshot, {
    drafts,
    files: [...answer.results.keys(), rulesFile],
    complete: scope.complete,
    clock,
  });
  if (!['PASSED', 'FAILED'].includes(answer.reviewStatus.toUpperCase())) {
    logger.warn(
      `The platform answered the unknown review status "${answer.reviewStatus}"; it counts as failed.`,
    );
  }
  return {
    ...base,
    ...concluded,
    outcome: decide(concluded.counts, request.failOn, {
      reviewStatus: answer.reviewStatus,
      explained: excused,
    }),
    reviewed: [...answer.results.keys()],
    excluded: answer.excluded,
    reviewStatus: answer.reviewStatus,
  };
}

interface Answer {
  readonly reviewStatus: string;
  readonly results: ReadonlyMap<string, readonly AnsweredResult[]>;
  readonly excluded: readonly string[];
}

/** One request per batch, merged; the worst status counts. */
async function askPlatform(
  { branch, agentVersion }: ReviewRequest,
  commit: string,
  paths: readonly string[],
  { client, projectId, signal }: PlatformContext,
): Promise<Answer> {
  const results = new Map<string, readonly AnsweredResult[]>();
  const excluded: string[] = [];
  let reviewStatus = 'PASSED';
  for (let start = 0; start < paths.length; start += batchSize) {
    const pipelines = paths.slice(start, start + batchSize);
    const review = await client.reviews.create(
      { projectId, agentVersion, branchName: branch, commitId: commit, pipelines },
      { signal },
    );
    for (const [path, answered] of Object.entries(review.results)) results.set(path, answered);
    excluded.push(...(review.excludedFiles ?? []));
    if (reviewStatus.toUpperCase() === 'PASSED') reviewStatus = review.reviewStatus;
  }
  return { reviewStatus, results, excluded };
}
