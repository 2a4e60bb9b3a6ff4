import type { Repository } from '../../lib/git/repository.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { GitHubConnection } from '../../lib/github/connect-github.ts';
import type { Target } from '../../lib/github/event-target.ts';
import { fetchedCommit, type FetchOptions } from '../../lib/github/fetch-commit.ts';

/** What git says of a commit that the other side does not have. */
const isGone = /not our ref|unadvertised object|couldn't find remote ref/i;

/** The commit to compare the checked-out files with. */
export interface FoundBase {
  readonly commit: string;
  /** Further sentences for the reader. */
  readonly notes: readonly string[];
}

interface Search {
  /** The input `base`. */
  readonly given: string | undefined;
  readonly repository: Repository;
  readonly connection: GitHubConnection | undefined;
  readonly fetch: Omit<FetchOptions, 'commit'>;
}

/**
 * The commit that a change begins at, fetched where the check-out does not have it. What is checked out decides: GitHub's
 * test merge of a pull request is compared with the commit that it merges into, the head of the pull request with the
 * merge base. Undefined where the event has no base. Throws Failure 'git-failed', and 'usage' for an input that is not a
 * commit id.
 */
export async function findBase(target: Target, search: Search): Promise<FoundBase | undefined> {
  const { given, repository, fetch } = search;
  const have = (commit: string) => fetchedCommit(repository, { ...fetch, commit });
  if (given !== undefined) {
    if (/^[0-9a-f]{40,64}$/u.test(given)) return { commit: await have(given), notes: [] };
    throw new Failure('usage', {
      message: `"${given}" is not a commit id.`,
      where: { input: 'base' },
      hint: 'Give the full commit id, 40 (or 64) hexadecimal digits, such as ${{ github.event.before }}.',
    });
  }
  const { base, kind, mergeCommits = [] } = target;
  if (base === undefined) return undefined;
  const { signal } = fetch;
  const head = await repository.resolveCommit('HEAD', { signal });
  if (kind !== 'pull-request') {
    // A forced push can leave behind a commit that GitHub does not give any more. Another failure is one of the step.
    const found = await have(base).catch((error: unknown) => {
      if (!(error instanceof Failure) || !isGone.test(error.message)) throw error;
      return undefined;
    });
    return found === undefined ? undefined : { commit: found, notes: [] };
  }
  if (head !== target.commit && !mergeCommits.includes(head)) throw otherCheckOut(head, target);
  const [onto, merged] = mergeCommits.includes(head) ? await repository.parents(head, { signal }) : [];
  if (onto !== undefined && merged !== undefined) return { commit: await have(onto), notes: [] };
  const tip = await have(base);
  const fork = await mergeBase(tip, head, search);
  if (fork !== undefined) return { commit: await have(fork), notes: [] };
  return {
    commit: tip,
    notes: [
      `Where the branch began is not known: the check-out has too little history. It was compared with ${tip.slice(0, 12)}, so later changes of the target branch count too.`,
    ],
  };
}

/** On pull_request_target, the usual check-out has the target branch: then nothing would differ. */
function otherCheckOut(head: string, { commit }: Target): Failure {
  return new Failure('usage', {
    message: `The checked-out commit ${head.slice(0, 12)} is neither the head ${commit.slice(0, 12)} of the pull request nor GitHub’s test merge of it.`,
    where: { input: 'base' },
    hint: 'Start the workflow on pull_request, and use actions/checkout without a ref. For another check-out, set the input base to the commit to compare with.',
  });
}

/** From git, or from GitHub where the check-out has too little history. */
async function mergeBase(
  base: string,
  head: string,
  { repository, connection, fetch: { signal } }: Search,
): Promise<string | undefined> {
  const unlessAborted = (error: unknown) => {
    if (!(error instanceof Failure) || signal?.aborted === true) throw error;
    return undefined;
  };
  return (
    (await repository.mergeBase(base, head, { signal }).catch(unlessAborted)) ??
    (await connection?.commits.mergeBase(connection.repository, base, head).catch(unlessAborted))
  );
}
