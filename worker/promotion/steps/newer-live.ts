import type { ArtifactVersion } from '../../../flows/versions/find-artifact.ts';
import { liveVersion } from '../../../flows/versions/live-version.ts';
import { orderByName } from '../../../flows/versions/version-order.ts';
import { commitIdPattern } from '../../../lib/core/values/commit-id.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Advance, StepEnd } from '../advance/advance.ts';
import { anyVersion } from '../admission/lane-versions.ts';
import { waitForGitHub } from '../advance/wait-for-github.ts';

/**
 * The live version, if it is newer than the version of the promotion: by name, or else because it was built from a
 * descendant of the promotion's commit. When the push was accepted, it was not live or not known: perhaps a branch
 * was reset to an older commit, or a newer version was promoted by hand. `end`: GitHub does not answer, so the step
 * waits.
 */
export async function findNewerLive(
  advance: Advance,
  all: readonly ArtifactVersion[],
): Promise<{ readonly newer: string | undefined } | { readonly end: StepEnd }> {
  const { promotion, lane } = advance;
  const { version = '', task } = promotion;
  const live = liveVersion(all);
  // A person may take the lane back.
  if (live === undefined || task.request !== undefined || task.retry !== undefined)
    return { newer: undefined };
  const order = orderByName(version, live.versionName, lane.versions ?? anyVersion);
  if (order !== 'unknown') return { newer: order === 'older' ? live.versionName : undefined };
  try {
    const isLater = await isBuiltLater(live, advance);
    if (isLater !== 'not-shown') return { newer: isLater ? live.versionName : undefined };
    return await waitForGitHub(
      advance,
      `it does not show the commit of ${version} or of ${live.versionName}`,
    );
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'github-failed') throw error;
    return waitForGitHub(advance, error.message);
  }
}

/**
 * Whether a version was built from a descendant of the promotion's commit. `not-shown`: GitHub does not show both commits,
 * because a replica lags; after some minutes, it does not have them.
 */
async function isBuiltLater(
  { commitHash }: ArtifactVersion,
  { promotion, ports }: Advance,
): Promise<boolean | 'not-shown'> {
  const { artifactCommit, task } = promotion;
  const [ownCommit, otherCommit] = [artifactCommit ?? task.commit, commitHash ?? ''].map((hash) =>
    hash.trim().toLowerCase(),
  );
  if (ownCommit === undefined || otherCommit === undefined || ownCommit === otherCommit) return false;
  if (!commitIdPattern.test(ownCommit) || !commitIdPattern.test(otherCommit)) return false;
  const { fullName } = await ports.github.repository(task.repository.id);
  const relation = await ports.github.relation(fullName, otherCommit, ownCommit);
  if (relation !== 'unrelated') return relation === 'behind';
  // GitHub gives the same answer for commits without a common ancestor and for a commit that it does not show.
  if (ports.clock.now() - promotion.step.since >= ports.settings.headWaitMs) return false;
  for (const commit of [ownCommit, otherCommit])
    if ((await ports.github.committedAt(fullName, commit)) === undefined) return 'not-shown';
  // GitHub may have begun to show them after the comparison.
  return (await ports.github.relation(fullName, otherCommit, ownCommit)) === 'behind';
}
