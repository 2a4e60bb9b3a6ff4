import type { GitPlace } from './git-place.ts';
import { gitFailure, runGit } from './run-git.ts';

/** Ids of known commits. An id stays a commit, so it needs no second check. */
const found = new WeakMap<GitPlace, Set<string>>();

/** Resolves a branch, tag or id to the full commit id, with tags peeled. Throws Failure 'git-failed' with the ref. */
export async function resolveCommit(
  place: GitPlace,
  ref: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const commits = found.get(place) ?? new Set();
  if (commits.has(ref)) return ref;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { code, stdout } = await runGit(place, args, { signal, answers: [1, 128] });
  const id = stdout.toString().trim();
  if (code === 0 && /^[0-9a-f]{40,64}$/.test(id)) {
    found.set(place, commits.add(id));
    return id;
  }
  if (ref === 'HEAD')
    throw gitFailure(
      'find HEAD',
      'the repository has no commit yet',
      'Create a commit first (`git commit`). Without a commit, `millrace review --local --working-tree` reviews the files on disk.',
    );
  throw gitFailure(
    `find the commit "${ref}"`,
    (await isShallow(place, signal))
      ? 'it is not in this shallow clone'
      : 'this repository has no such commit, branch or tag',
  );
}

/** Whether the clone is shallow, so that a missing commit proves nothing. */
export async function isShallow(place: GitPlace, signal: AbortSignal | undefined): Promise<boolean> {
  const { stdout } = await runGit(place, ['rev-parse', '--is-shallow-repository'], { signal });
  return stdout.toString().trim() === 'true';
}
