import type { Repository } from '../../../lib/git/repository.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { GitHubConnection } from '../../../lib/github/workflow-run/connect-github.ts';
import { requireCommitId, type Target } from '../../../lib/github/workflow-run/event-target.ts';
import { fetchedCommit, type FetchOptions } from '../../../lib/github/workflow-run/fetch-commit.ts';
import { type CheckedOutCommit, refuseOtherCheckOut } from './checked-out-commit.ts';

/** What git says of a commit that the other side does not have. */
const isGone = /not our ref|unadvertised object|couldn't find remote ref/i;

/** The commit to compare the checked-out files with. */
export interface FoundBase {
  readonly commit: string;
  /** Further sentences for the reader. */
  readonly notes: readonly string[];
}

/** The reason why there is nothing to compare with. */
export interface NoBase {
  readonly reason: string;
}

interface Search {
  /** The input `base`. */
  readonly inputBase: string | undefined;
  readonly checkedOut: CheckedOutCommit;
  readonly repository: Repository;
  readonly connection: GitHubConnection | undefined;
  readonly fetch: Omit<FetchOptions, 'commit'>;
}

/**
 * Finds the commit at which a change begins, and fetches it if the check-out does not have it. It depends on what
 * is checked out. GitHub's test merge and the real merge commit are compared with the commit into which the pull
 * request is merged; the head of a pull request is compared with the merge base. Throws Failure 'git-failed', and
 * 'usage' for an input that is not a commit id or for another check-out.
 */
export async function findBase(target: Target, search: Search): Promise<FoundBase | NoBase> {
  const { inputBase, checkedOut, repository, fetch } = search;
  const have = (commit: string) => fetchedCommit(repository, { ...fetch, commit });
  if (inputBase !== undefined) {
    requireCommitId(inputBase, 'base');
    return { commit: await have(inputBase), notes: [] };
  }
  const { base, kind } = target;
  if (base === undefined) return noBase;
  if (kind === 'pull-request' || kind === 'merge-group') {
    const otherwise = 'For another check-out, set the input base to the commit to compare with.';
    refuseOtherCheckOut(checkedOut, target, { input: 'base', otherwise });
  }
  if (kind !== 'pull-request') {
    // A forced push can leave behind a commit that GitHub does not give any more. Another failure is one of the step.
    const commit = await have(base).catch((error: unknown) => {
      if (!(error instanceof Failure) || !isGone.test(error.message)) throw error;
      return undefined;
    });
    return commit === undefined ? noBase : { commit, notes: [] };
  }
  const [onto, merged] = checkedOut.parents;
  if (onto !== undefined) {
    if (merged === undefined && (await isRebased(target, search))) return rebased;
    return { commit: await have(onto), notes: [] };
  }
  const head = checkedOut.commit;
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

const noBase: NoBase = {
  reason:
    'Nothing was compared: the event names no earlier commit, or GitHub does not have it any more. To name one, set the input base.',
};

const rebased: NoBase = {
  reason:
    'Nothing was compared: the pull request was merged as several commits (a rebase), and the event does not name the commit before them. To name it, set the input base.',
};

/**
 * Whether a pull request with several commits was merged by a rebase: the event does not say so. A rebase keeps the author, the
 * time of the author and the subject of each commit; GitHub makes the commit of a squash, and its time is the time of the merge.
 */
async function isRebased(
  { mergedCommits = 1, commit }: Target,
  { checkedOut, repository, fetch }: Search,
): Promise<boolean> {
  if (mergedCommits <= 1) return false;
  const { signal } = fetch;
  const id = await fetchedCommit(repository, { ...fetch, commit });
  const [[merged], [head]] = await Promise.all([
    repository.log(checkedOut.commit, { limit: 1, signal }),
    repository.log(id, { limit: 1, signal }),
  ]);
  return (
    merged?.subject === head?.subject &&
    merged?.authoredAt === head?.authoredAt &&
    merged?.authorName === head?.authorName &&
    merged?.authorEmail === head?.authorEmail
  );
}

/** From git, or from GitHub if the check-out has too little history. */
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
