import { numberOf } from '../../lib/core/text/number-of.ts';
import type { PlatformContext } from '../context/context.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { wholeFile } from '../../lib/core/outcomes/finding.ts';
import { requestReview, type PlatformAnswer } from './evaluate/request-review.ts';
import { checkProject } from './evaluate/check-project.ts';
import { commentProblems } from './evaluate/comment-suppressions.ts';
import { conclude } from './conclude/conclude.ts';
import type { RawFinding } from './evaluate/raw-finding.ts';
import { evaluateLocally } from './evaluate/evaluate-locally.ts';
import { decide } from './conclude/gate.ts';
import { platformRawFindings } from './evaluate/platform-raw-findings.ts';
import { outcomeOf, type PreparedReview, prepareReview } from './evaluate/prepare-review.ts';
import { leftOutFindings } from './evaluate/left-out-findings.ts';
import { adjustFindings, pathRules } from './evaluate/path-rules.ts';
import { policyProblems } from './evaluate/policy-problems.ts';
import { ruleCoverage } from './evaluate/rule-coverage.ts';
import { policyRawFindings } from './policy-raw-findings.ts';
import type { ReviewReport, ReviewRequest } from './scope/review-request.ts';

/** Default time limit of a review by the platform. */
const defaultTimeoutMs = 600_000;

/**
 * Requests a review by the platform (spec §4.5) and adds positions to its findings. The files must be on the remote:
 * the platform reads them at branch and commit.
 * Throws what the client throws, Failure 'git-failed' and 'usage'.
 */
export async function reviewOnPlatform(
  request: ReviewRequest,
  context: PlatformContext,
): Promise<ReviewReport> {
  const { clock, signal } = context;
  const deadline = clock.now() + (request.timeoutMs ?? defaultTimeoutMs);
  if (request.snapshot !== undefined) {
    throw new Failure('usage', {
      message: 'The platform reviews commits on a branch and cannot see uncommitted changes (spec §4.5).',
      hint: 'Review the working tree with --local.',
    });
  }
  const prepared = await prepareReview(request, signal);
  const { scope, snapshot } = prepared;
  const base = { ...prepared.base, source: 'platform' as const };
  const checks = checkProject(request, snapshot, scope, signal);
  const { results, limits, comments, rulesFileOf } = await evaluateLocally(
    request,
    snapshot,
    scope.paths,
    checks.add,
    signal,
  );
  const checkFindings = await checks.finish();
  const answer = await answerFor({ ...request, deadline }, prepared, context);
  const { results: answered, reviewStatus } = answer;
  const hasResults = answered.size > 0 || checkFindings.length > 0;
  const ofPlatform = [...answered].flatMap(([file, ruleResults]) =>
    platformRawFindings(file, ruleResults, results.get(file) ?? [], rulesFileOf(file)),
  );
  const adjusted = adjustFindings(ofPlatform, pathRules(request), limits);
  const rawFindings = [...adjusted.rawFindings, ...(await policyRawFindings(request, prepared, clock))];
  rawFindings.push(
    ...checks.unreported(answered),
    ...checkFindings,
    ...commentProblems(comments),
    ...notReviewed(answer, scope.paths),
    ...unknownStatus(answer, rulesFileOf(scope.paths[0] ?? '')),
  );
  rawFindings.push(...leftOutFindings(request, scope), ...(await policyProblems(request, snapshot, scope)));
  const { excused, ...concluded } = await conclude(request, snapshot, {
    rawFindings,
    // Without a pipeline the rules file is not evaluated either.
    files: answered.size === 0 ? [] : [...answered.keys()].flatMap((path) => [path, rulesFileOf(path)]),
    covers: ruleCoverage(answer.results, rulesFileOf, checks, pathRules(request)),
    touched: scope.touched,
    removed: scope.removed,
    comments,
    complete: scope.complete && hasResults,
    clock,
  });
  const verdict = decide(concluded.counts, request.failOn, {
    reviewStatus,
    explained: excused || adjusted.excused,
  });
  const callRoot = checks.callRoot();
  return {
    ...base,
    ...concluded,
    ...outcomeOf(verdict, prepared, hasResults),
    ...(callRoot === undefined ? {} : { callRoot }),
    reviewed: [...answered.keys()],
    excluded: answer.excluded,
    ...(scope.paths.length === 0 ? {} : { reviewStatus }),
  };
}

/** Sends no request if there is no file to review. */
async function answerFor(
  request: ReviewRequest & { readonly deadline: number },
  { snapshot, scope: { paths } }: PreparedReview,
  context: PlatformContext,
): Promise<PlatformAnswer> {
  if (paths.length > 0)
    context.progress.step(`Requesting a review of ${numberOf(paths.length, 'file')} from the platform`);
  return await requestReview(request, snapshot.commit, paths, context);
}

/**
 * An error for each file that the platform could not review or left out of its answer: the file may hide any finding.
 */
function notReviewed({ results, excluded, failed }: PlatformAnswer, paths: readonly string[]): RawFinding[] {
  const mentioned = new Set([...results.keys(), ...excluded]);
  return paths
    .filter((path) => !mentioned.has(path))
    .map((file) => ({
      rule: 'millrace/not-reviewed',
      severity: 'error',
      file,
      ...wholeFile,
      message: `The platform did not review this file: ${failed.get(file)?.message ?? 'its answer does not mention the file.'}`,
      errorType: 'millrace/not-reviewed',
      source: 'platform',
    }));
}

/** Spec §2.8 shows only PASSED and FAILED. The meaning of another status is unknown, so it is not a success. */
function unknownStatus({ reviewStatus }: PlatformAnswer, rulesFile: string): RawFinding[] {
  if (['PASSED', 'FAILED'].includes(reviewStatus.toUpperCase())) return [];
  return [
    {
      rule: 'millrace/review-status',
      severity: 'error',
      file: rulesFile,
      ...wholeFile,
      message: `The platform returned the unknown review status "${reviewStatus}". It counts as failed.`,
      errorType: 'millrace/unknown-review-status',
      source: 'platform',
    },
  ];
}
