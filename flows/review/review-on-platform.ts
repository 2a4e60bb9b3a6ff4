import type { PlatformContext } from '../context.ts';
import { finish } from './draft.ts';
import { evaluateLocally } from './evaluate-locally.ts';
import { countFindings, decide } from './gate.ts';
import { type AnsweredResult, platformDrafts } from './platform-drafts.ts';
import type { ReviewReport, ReviewRequest } from './review-request.ts';
import { chooseScope } from './review-scope.ts';

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
  const { repository, branch, failOn } = request;
  const { progress, logger } = context;
  const commit = await repository.resolveCommit(request.commit);
  const scope = await chooseScope(request, commit);
  const base = { branch, commit, source: 'platform' as const, scopeReason: scope.reason };
  if (scope.paths.length === 0) {
    return {
      ...base,
      outcome: 'nothing-to-do',
      findings: [],
      reviewed: [],
      excluded: [],
      counts: countFindings([]),
    };
  }
  progress.step(`Having ${scope.paths.length} files reviewed by the platform`);
  const answer = await askPlatform(request, commit, scope.paths, context);
  const { review, rulesFile } = await evaluateLocally(request, commit, scope.paths);
  const findings = finish(
    [...answer.results].flatMap(([file, results]) =>
      platformDrafts(file, results, review.results.get(file) ?? [], rulesFile),
    ),
  );
  const counts = countFindings(findings);
  const outcome = decide(counts, failOn, answer.reviewStatus);
  if (!['PASSED', 'FAILED'].includes(answer.reviewStatus.toUpperCase())) {
    logger.warn(
      `The platform answered the unknown review status "${answer.reviewStatus}"; it counts as failed.`,
    );
  }
  return {
    ...base,
    outcome,
    findings,
    reviewed: [...answer.results.keys()],
    excluded: answer.excluded,
    counts,
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
