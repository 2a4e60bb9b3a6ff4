import { fitsAny } from '../../lib/config/effective-policy.ts';
import type { GitHubPort } from '../../lib/github/github-port.ts';
import type { GitHubRepository } from '../../lib/github/repositories.ts';

/** An allowed branch that contains the commit; the default branch is checked first. Throws Failure 'github-failed'. */
export async function findAllowedBranch(
  commit: string,
  { fullName, defaultBranch }: GitHubRepository,
  allowed: readonly string[],
  github: Pick<GitHubPort, 'branches' | 'relation'>,
): Promise<string | undefined> {
  const all = (await github.branches(fullName)).filter(({ name }) => fitsAny(allowed, name));
  const ordered = all.toSorted((a, b) => Number(b.name === defaultBranch) - Number(a.name === defaultBranch));
  for (const branch of ordered) {
    // Most tags are on the newest commit of a branch, which the list shows.
    const relation =
      commit === branch.commit ? 'identical' : await github.relation(fullName, commit, branch.commit);
    if (relation === 'ahead' || relation === 'identical') return branch.name;
  }
  return undefined;
}
