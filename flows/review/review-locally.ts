import { numberOf } from '../../lib/core/number-of.ts';
import type { FlowContext } from '../context/context.ts';
import { checkProject } from './check-project.ts';
import { conclude } from './conclude.ts';
import { evaluateLocally } from './evaluate-locally.ts';
import { decide } from './gate.ts';
import { localRawFindings } from './local-raw-findings.ts';
import { outcomeOf, prepareReview } from './prepare-review.ts';
import { leftOutFindings } from './left-out-findings.ts';
import { policyProblems } from './policy-problems.ts';
import { ruleCoverage } from './rule-coverage.ts';
import { policyRawFindings } from './policy-raw-findings.ts';
import type { ReviewReport, ReviewRequest } from './review-request.ts';

/**
 * Reviews pipelines with the rules evaluated here: no platform, no secret, so it serves forks and a check before
 * the push. Throws Failure 'git-failed', 'usage', and 'config-invalid' for a baseline that cannot be read.
 */
export async function reviewLocally(
  request: ReviewRequest,
  { clock, progress, signal }: FlowContext,
): Promise<ReviewReport> {
  const prepared = await prepareReview(request, signal);
  const { scope, snapshot } = prepared;
  const base = { ...prepared.base, source: 'local' as const };
  const checks = checkProject(request, snapshot, scope);
  if (scope.paths.length > 0) progress.step(`Reviewing ${numberOf(scope.paths.length, 'file')}`);
  const { results, excluded, rulesFileOf } = await evaluateLocally(
    request,
    snapshot,
    scope.paths,
    checks.look,
  );
  const found = await checks.finish();
  const looked = results.size > 0 || found.length > 0;
  const rawFindings = [
    ...[...results].flatMap(([file, own]) => localRawFindings(file, own)),
    ...found,
    ...(await policyRawFindings(request, prepared, clock)),
    ...leftOutFindings(request, scope),
    ...(await policyProblems(request, snapshot, scope)),
  ];
  const { excused: _, ...concluded } = await conclude(request, snapshot, {
    rawFindings,
    // Without a pipeline the rules file is not tried either.
    files: results.size === 0 ? [] : [...results.keys()].flatMap((path) => [path, rulesFileOf(path)]),
    covers: ruleCoverage(results, rulesFileOf, checks),
    touched: scope.touched,
    complete: scope.complete && looked,
    clock,
  });
  return {
    ...base,
    ...concluded,
    ...outcomeOf(decide(concluded.counts, request.failOn), prepared, looked),
    reviewed: [...results.keys()],
    excluded,
  };
}
