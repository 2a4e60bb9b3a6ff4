import { numberOf } from '../../lib/core/text/number-of.ts';
import type { FlowContext } from '../context/context.ts';
import { checkProject } from './evaluate/check-project.ts';
import { commentProblems } from './evaluate/comment-suppressions.ts';
import { conclude } from './conclude/conclude.ts';
import { evaluateLocally } from './evaluate/evaluate-locally.ts';
import { decide } from './conclude/gate.ts';
import { localRawFindings } from './evaluate/local-raw-findings.ts';
import { outcomeOf, prepareReview } from './evaluate/prepare-review.ts';
import { leftOutFindings } from './evaluate/left-out-findings.ts';
import { notFetchedFindings } from './evaluate/not-fetched.ts';
import { adjustFindings, pathRules } from './evaluate/path-rules.ts';
import { policyProblems } from './evaluate/policy-problems.ts';
import { ruleCoverage } from './evaluate/rule-coverage.ts';
import { policyRawFindings } from './policy-raw-findings.ts';
import type { ReviewReport, ReviewRequest } from './scope/review-request.ts';

/**
 * Reviews pipelines with locally evaluated rules. It needs neither platform nor secret, so it works for forks and
 * before a push.
 * Throws Failure 'git-failed', 'usage', and 'config-invalid' for a baseline that cannot be read.
 */
export async function reviewLocally(
  request: ReviewRequest,
  { clock, progress, signal }: FlowContext,
): Promise<ReviewReport> {
  const prepared = await prepareReview(request, signal);
  const { scope, snapshot } = prepared;
  const base = { ...prepared.base, source: 'local' as const };
  const checks = checkProject(request, snapshot, scope, signal);
  if (scope.paths.length > 0) progress.step(`Reviewing ${numberOf(scope.paths.length, 'file')}`);
  const { results, limits, comments, excluded, rulesFileOf } = await evaluateLocally(
    request,
    snapshot,
    scope.paths,
    checks.add,
    signal,
  );
  const checkFindings = await checks.finish();
  const ofRules = [...results].flatMap(([file, ruleResults]) => localRawFindings(file, ruleResults));
  const adjusted = adjustFindings(ofRules, pathRules(request), limits);
  const hasResults = results.size > 0 || checkFindings.length > 0;
  const rawFindings = [
    ...adjusted.rawFindings,
    ...checks.unreported(results),
    ...checkFindings,
    ...commentProblems(comments),
    ...(await policyRawFindings(request, prepared, clock)),
    ...leftOutFindings(request, scope),
    ...(await policyProblems(request, snapshot, scope)),
    ...(await notFetchedFindings(scope, snapshot)),
  ];
  const { excused: _, ...concluded } = await conclude(request, snapshot, {
    rawFindings,
    // Without a pipeline the rules file is not evaluated either.
    files: results.size === 0 ? [] : [...results.keys()].flatMap((path) => [path, rulesFileOf(path)]),
    covers: ruleCoverage(results, rulesFileOf, checks, pathRules(request)),
    touched: scope.touched,
    removed: scope.removed,
    comments,
    complete: scope.complete && hasResults,
    clock,
  });
  const callRoot = checks.callRoot();
  return {
    ...base,
    ...concluded,
    ...outcomeOf(decide(concluded.counts, request.failOn), prepared, hasResults),
    ...(callRoot === undefined ? {} : { callRoot }),
    reviewed: [...results.keys()],
    excluded,
  };
}
