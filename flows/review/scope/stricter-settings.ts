import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import { checkIds } from '../../../lib/config/project/review-schema.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { severities, type Severity } from '../../../lib/core/outcomes/finding.ts';
import { commitSnapshot, type Snapshot } from '../../../lib/git/snapshot.ts';
import { configFileOf } from './own-shared.ts';
import { settingsIn } from './review-policy.ts';
import type { ReviewRequest } from './review-request.ts';

/**
 * Whether the settings of a snapshot may find more than the settings at the commit `from`, so that unchanged
 * pipelines may have new findings: a check is on or stricter, a name is missing in `review.variables`, or the
 * overrides or the folder of calls differ. False if the settings of another commit apply (`settingsCommit`).
 */
export async function hasStricterSettings(
  request: ReviewRequest,
  snapshot: Snapshot,
  { from, touched }: { readonly from: string; readonly touched: ReadonlySet<string> },
): Promise<boolean> {
  const { repository, settingsCommit, extendedFiles = [] } = request;
  const file = configFileOf(request);
  if (settingsCommit !== undefined || ![file, ...extendedFiles].some((path) => touched.has(path)))
    return false;
  const nowSettings = await readSettings(snapshot, file);
  const settingsBefore = await readSettings(commitSnapshot(repository, from), file);
  const [now, before] = [nowSettings?.review, settingsBefore?.review];
  const variables = new Set(now?.variables);
  return (
    checkIds.some((check) => weightOf(now?.checks[check]) > weightOf(before?.checks[check])) ||
    (before?.variables ?? []).some((name) => !variables.has(name)) ||
    JSON.stringify(before?.overrides ?? []) !== JSON.stringify(now?.overrides ?? []) ||
    JSON.stringify(settingsBefore?.callFolder) !== JSON.stringify(nowSettings?.callFolder)
  );
}

/** Undefined for settings that do not exist, cannot be read, or that a shallow clone lacks. */
async function readSettings(snapshot: Snapshot, file: string): Promise<ProjectConfig | undefined> {
  try {
    return await settingsIn(snapshot, file);
  } catch (error) {
    if (error instanceof Failure && ['config-invalid', 'git-failed'].includes(error.code)) return undefined;
    throw error;
  }
}

/** 0 if the check is off. */
function weightOf(severity: Severity | 'off' = 'off'): number {
  return severity === 'off' ? 0 : severities.length - severities.indexOf(severity);
}
