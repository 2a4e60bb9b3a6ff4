import { messageOf } from '../../core/errors/message-of.ts';
import { openPlace } from '../../git/process/open-place.ts';
import type { Repository } from '../../git/repository.ts';
import { runGit } from '../../git/process/run-git.ts';
import { Failure } from '../../core/errors/failure.ts';

export interface FetchOptions {
  /** A folder of the checked-out repository. */
  readonly directory: string;
  /** Full commit id. */
  readonly commit: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/**
 * Makes sure that a commit is in the local repository: a check-out of a pull request contains only GitHub's merge
 * commit. Fetches the missing commit from `origin`; a complete clone does not become shallow. Throws Failure
 * 'git-failed' if the fetch fails.
 */
export async function fetchCommit(options: FetchOptions): Promise<void> {
  const { directory, commit, environment, signal } = options;
  checkCommitId(commit);
  const { place } = await openPlace(directory, environment, signal);
  const there = await runGit(place, ['cat-file', '-e', `${commit}^{commit}`], { signal, answers: [1, 128] });
  if (there.code === 0) return;
  const shallow = await runGit(place, ['rev-parse', '--is-shallow-repository'], { signal });
  const depth = shallow.stdout.toString().trim() === 'true' ? ['--depth=1'] : [];
  const args = [...fetchQuietly, '--no-tags', ...depth, 'origin', commit];
  try {
    await runGit(place, args, { signal, asked: `fetch the commit ${commit}`, network: true });
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw new Failure('git-failed', {
      message: `The commit ${commit} is not in the checked-out repository, and could not be fetched: ${messageOf(cause)}`,
      hint: 'Add a step with actions/checkout before this step, and do not set its persist-credentials to false. Or set fetch-depth: 0 in that step.',
      cause,
    });
  }
}

/**
 * Like `fetchCommit`, for an open repository. It usually has the commit, and then git is started only once. Returns the commit's
 * id, with tags peeled.
 */
export async function fetchedCommit(repository: Repository, options: FetchOptions): Promise<string> {
  const { commit, signal } = options;
  checkCommitId(commit);
  return await repository.resolveCommit(commit, { signal }).catch(async () => {
    await fetchCommit(options);
    return await repository.resolveCommit(commit, { signal });
  });
}

/** Fetches objects and nothing else: git does not tidy up the check-out afterwards. */
const fetchQuietly = [
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
  'fetch',
  '--quiet',
  '--no-recurse-submodules',
  '--no-write-fetch-head',
];

function checkCommitId(commit: string): void {
  if (/^[0-9a-f]{40,64}$/u.test(commit)) return;
  throw new Failure('git-failed', {
    message: `"${commit}" is not a commit id.`,
    hint: 'Give the full commit id: 40 (or 64) hexadecimal digits.',
  });
}

/**
 * Fetches all tags: a check-out has at most the tag of its own commit. Throws Failure 'git-failed' if the fetch
 * fails.
 */
export async function fetchTags({
  directory,
  environment,
  signal,
}: Omit<FetchOptions, 'commit'>): Promise<void> {
  const { place } = await openPlace(directory, environment, signal);
  const shallow = await runGit(place, ['rev-parse', '--is-shallow-repository'], { signal });
  const depth = shallow.stdout.toString().trim() === 'true' ? ['--depth=1'] : [];
  const args = [...fetchQuietly, ...depth, 'origin', '+refs/tags/*:refs/tags/*'];
  try {
    await runGit(place, args, { signal, asked: 'fetch the tags', network: true });
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw new Failure('git-failed', {
      message: `The tags could not be fetched: ${messageOf(cause)}`,
      hint: 'Add a step with actions/checkout before this step, and do not set its persist-credentials to false.',
      cause,
    });
  }
}
