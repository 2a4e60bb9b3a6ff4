import { type CommitCheck, checkCommit } from '../../../flows/versions/check-commit.ts';
import type { ArtifactVersion } from '../../../flows/versions/find-artifact.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { findAllowedBranch } from './allowed-branch.ts';
import type { Advance, StepEnd } from './advance.ts';
import { waitForGitHub } from './wait-for-github.ts';

/**
 * Checks that a version was built from the commit of its promotion. If it was not, the promotion ends, and its
 * commit shows why. While GitHub does not answer or, for some minutes, does not show the commit, the promotion
 * waits. If the result has `end`, the step must end with it.
 */
export async function checkArtifact(
  advance: Advance,
  artifact: ArtifactVersion,
): Promise<{ readonly commit: string | undefined } | { readonly end: StepEnd }> {
  let check: CommitCheck;
  try {
    check = await checkCommit(artifact, ruleFor(advance, artifact));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'github-failed') throw error;
    return waitForGitHub(advance, error.message);
  }
  if (check.status === 'ok') return { commit: check.commit };
  const { ports, promotion } = advance;
  const isWaiting = ports.clock.now() - promotion.step.since < ports.settings.headWaitMs;
  if (check.status === 'not-shown' && isWaiting) return waitForGitHub(advance, check.reason);
  // The history shows which version it was; the lane continues with the next promotion.
  await advance.save({
    what: 'commit-refused',
    data: { version: artifact.versionName, commit: artifact.commitHash ?? null },
    intent: null,
    version: artifact.versionName,
  });
  const report = { state: 'failure', text: check.reason } as const;
  return { end: await advance.finish({ outcome: 'failed', message: check.reason, report }) };
}

function ruleFor(
  { promotion, ports }: Advance,
  { versionName }: ArtifactVersion,
): Parameters<typeof checkCommit>[1] {
  const { repository: of, version, commit } = promotion.task;
  const policy = ports.config.repositories.find(({ id }) => id === of.id);
  const named = version.kind === 'named' ? version.commit : undefined;
  // The newest version may change during the soak time.
  const resolved = versionName === promotion.version ? promotion.artifactCommit : undefined;
  return {
    expected: resolved ?? (version.kind === 'commit' ? commit : named),
    withoutCommit: policy?.['artifacts-without-commit'] ?? 'refuse',
    async isAllowed(hash) {
      const repository = await ports.github.repository(of.id);
      const branch = await findAllowedBranch(hash, repository, policy?.branches ?? [], ports.github);
      return branch === 'not-shown' ? branch : branch !== 'none';
    },
  };
}
