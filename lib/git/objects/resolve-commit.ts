import type { GitPlace } from '../process/git-place.ts';
import { meantHint } from '../../core/text/did-you-mean.ts';
import { gitFailure, runGit } from '../process/run-git.ts';

/** Ids that were found to be commits. This does not change, so they need no second check. */
const resolvedIds = new WeakMap<GitPlace, Set<string>>();

/** The id that git and its hosts use for a commit that does not exist. */
export const noCommit = /^0{40}(?:0{24})?$/;

/** Resolves a branch, tag or id to the full commit id, with tags peeled. Throws Failure 'git-failed' with the ref. */
export async function resolveCommit(
  place: GitPlace,
  ref: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const commits = resolvedIds.get(place) ?? new Set();
  if (commits.has(ref)) return ref;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { code, stdout } = await runGit(place, args, { signal, answers: [1, 128] });
  const id = stdout.toString().trim();
  if (code === 0 && /^[0-9a-f]{40,64}$/.test(id)) {
    resolvedIds.set(place, commits.add(id));
    return id;
  }
  if (ref === 'HEAD')
    throw gitFailure(
      'find HEAD',
      'the repository has no commit yet',
      'Create a commit first (`git commit`). Without a commit, `millrace review --local --working-tree` reviews the files on disk.',
    );
  if (noCommit.test(ref))
    throw gitFailure(
      `find the commit "${ref}"`,
      'git writes this id for a branch that did not exist before, or that a push deletes',
      'For a new branch, name the branch that it will be merged into, such as origin/main.',
    );
  const isPart = await isShallow(place, signal);
  throw gitFailure(
    `find the commit "${ref}"`,
    isPart ? 'it is not in this shallow clone' : 'this repository has no such commit, branch or tag',
    isPart
      ? 'Get the whole history: `git fetch --unshallow --tags`. On GitHub, check out with `fetch-depth: 0`.'
      : meantHint(
          shortName(ref),
          await refNames(place, signal),
          'Check the name: `git tag` and `git branch --all` list the existing ones. If only the remote has it, get it with `git fetch --tags`.',
        ),
  );
}

/** Whether a branch and a tag have the same name but lead to different commits. Git then uses the tag. */
export async function isAmbiguous(
  place: GitPlace,
  name: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (name === 'HEAD' || name.startsWith('refs/') || /^[0-9a-f]{40,64}$/.test(name)) return false;
  const commits = await Promise.all(
    ['heads', 'tags'].map(async (kind) => {
      const ref = `refs/${kind}/${name}^{commit}`;
      const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', ref];
      const { code, stdout } = await runGit(place, args, { signal, answers: [1, 128] });
      return code === 0 ? stdout.toString().trim() : undefined;
    }),
  );
  const [branch, tag] = commits;
  return branch !== undefined && tag !== undefined && branch !== tag;
}

/** The names of branches and tags, at most 2000. */
async function refNames(place: GitPlace, signal: AbortSignal | undefined): Promise<readonly string[]> {
  const args = ['for-each-ref', '--count=2000', '--format=%(refname)', 'refs/heads', 'refs/tags'];
  const { stdout } = await runGit(place, args, { signal, answers: [1, 128] });
  const names = stdout.toString().split('\n');
  return names.filter((name) => name !== '').map(shortName);
}

function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\//, '');
}

/** Whether the clone is shallow, so that a missing commit proves nothing. */
export async function isShallow(place: GitPlace, signal: AbortSignal | undefined): Promise<boolean> {
  const { stdout } = await runGit(place, ['rev-parse', '--is-shallow-repository'], { signal });
  return stdout.toString().trim() === 'true';
}
