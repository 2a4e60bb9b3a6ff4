import type { FlowContext } from '../context.ts';
import { finish } from './draft.ts';
import { evaluateLocally } from './evaluate-locally.ts';
import { countFindings, decide } from './gate.ts';
import { localDrafts } from './local-drafts.ts';
import type { ReviewReport, ReviewRequest } from './review-request.ts';
import { chooseScope } from './review-scope.ts';

/**
 * Reviews pipelines with the rules evaluated here: no platform, no secret, so it serves forks and a check before
 * the push. Throws Failure 'git-failed' and 'usage'.
 */
export async function reviewLocally(
  request: ReviewRequest,
  { progress }: FlowContext,
): Promise<ReviewReport> {
  const { repository, branch, failOn } = request;
  const commit = await repository.resolveCommit(request.commit);
  const scope = await chooseScope(request, commit);
  const base = { branch, commit, source: 'local' as const, scopeReason: scope.reason };
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
  progress.step(`Reviewing ${scope.paths.length} files`);
  const { review } = await evaluateLocally(request, commit, scope.paths);
  const findings = finish([...review.results].flatMap(([file, results]) => localDrafts(file, results)));
  const counts = countFindings(findings);
  return {
    ...base,
    outcome: decide(counts, failOn),
    findings,
    reviewed: [...review.results.keys()],
    excluded: review.excludedFiles,
    counts,
  };
}
