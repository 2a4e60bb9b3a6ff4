import { fitsAny } from '../../../lib/config/worker/effective-policy.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { GitHubRepository } from '../../../lib/github/endpoints/repositories.ts';

/** Whether an allowed branch contains a commit: the branch, none, or GitHub does not show the commit. */
export type BranchOfCommit = { readonly branch: string } | 'none' | 'not-shown';

/**
 * Finds the first allowed branch that contains the commit; the default branch is checked first. Throws Failure
 * 'github-failed'.
 */
export async function findAllowedBranch(
  commit: string,
  { fullName, defaultBranch }: GitHubRepository,
  allowed: readonly string[],
  github: Pick<GitHubPort, 'branches' | 'relation' | 'committedAt'>,
): Promise<BranchOfCommit> {
  const all = (await github.branches(fullName)).filter(({ name }) => fitsAny(allowed, name));
  const ordered = all.toSorted((a, b) => Number(b.name === defaultBranch) - Number(a.name === defaultBranch));
  const unrelated: typeof ordered = [];
  for (const branch of ordered) {
    // Most tags are on the newest commit of a branch, which the list shows.
    const relation =
      commit === branch.commit ? 'identical' : await github.relation(fullName, commit, branch.commit);
    if (relation === 'ahead' || relation === 'identical') return { branch: branch.name };
    if (relation === 'unrelated') unrelated.push(branch);
  }
  if (unrelated.length === 0) return 'none';
  // GitHub gives the same answer for commits without a common ancestor and for a commit that it does not show, or not
  // yet.
  if ((await github.committedAt(fullName, commit)) === undefined) return 'not-shown';
  for (const branch of unrelated)
    if ((await github.relation(fullName, commit, branch.commit)) === 'ahead') return { branch: branch.name };
  return 'none';
}
