import { Failure } from '../../lib/core/failure.ts';
import { severities, type Severity } from '../../lib/core/finding.ts';
import { commitSnapshot } from '../../lib/git/snapshot.ts';
import { configFileOf } from './own-shared.ts';
import { settingsIn } from './review-policy.ts';
import type { ReviewRequest } from './review-request.ts';

/**
 * Whether the settings that apply find more than the ones of the commit `from`, so that pipelines that the change did not touch may have
 * new findings: a check is on or stricter, `review.variables` lacks a name, or the overrides differ. False where the settings of
 * another commit apply (`policyCommit`): the change of the settings has no effect on this review.
 */
export async function hasStricterSettings(
  request: ReviewRequest,
  { from, touched }: { readonly from: string; readonly touched: ReadonlySet<string> },
): Promise<boolean> {
  const {
    repository,
    policyCommit,
    checks = {},
    variables = [],
    overrides = [],
    extendedFiles = [],
  } = request;
  const file = configFileOf(request);
  if (policyCommit !== undefined || ![file, ...extendedFiles].some((path) => touched.has(path))) return false;
  const before = await settingsIn(commitSnapshot(repository, from), file).catch((error: unknown) => {
    // Settings that cannot be read, or that a shallow clone lacks, prove nothing.
    if (error instanceof Failure && ['config-invalid', 'git-failed'].includes(error.code)) return undefined;
    throw error;
  });
  const { review } = before ?? {};
  const known = new Set(variables);
  return (
    Object.entries(checks).some(
      ([check, severity]) => weightOf(severity) > weightOf(review?.checks[check as keyof typeof checks]),
    ) ||
    (review?.variables ?? []).some((name) => !known.has(name)) ||
    JSON.stringify(review?.overrides ?? []) !== JSON.stringify(overrides)
  );
}

/** 0 where the check is off. */
function weightOf(severity: Severity | 'off' = 'off'): number {
  return severity === 'off' ? 0 : severities.length - severities.indexOf(severity);
}
