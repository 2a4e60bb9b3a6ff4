import { Failure } from '../../../lib/core/errors/failure.ts';
import { commitIdPattern } from '../../../lib/core/values/commit-id.ts';
import type { CommitEntry, Repository } from '../../../lib/git/repository.ts';
import type { Remote } from '../../../lib/git/repository-setup.ts';

/** A commit in a plan, without people's e-mail addresses. */
export interface PlannedCommit {
  readonly commit: string;
  readonly author: string;
  readonly subject: string;
  /** ISO 8601 with offset. */
  readonly committedAt: string;
  /** The number of its pull request, if the subject says it. */
  readonly pull?: number;
}

/** The commits that one version contains and the other does not. */
export interface CommitList {
  readonly count: number;
  /** At most 50. */
  readonly newest: readonly PlannedCommit[];
}

/** How the commit of the wanted version relates to the commit of the live version. */
export interface PlannedCommits {
  /** `ahead`: the wanted version has all commits of the live one. `unrelated`: the histories have no commit in common. */
  readonly relation: 'identical' | 'ahead' | 'behind' | 'diverged' | 'unrelated';
  /** What the wanted version has and the live one lacks. */
  readonly added: CommitList;
  /** What the live version has and the wanted one lacks: a promotion takes it out. */
  readonly removed: CommitList;
  /** The page on which GitHub compares the commits. */
  readonly link?: string;
}

/** A source from which commits are read. */
export interface CommitSource {
  readonly repository: Repository;
  /** The project's folder in the repository: only commits that change something in it count. `''` for all. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** A fact that could not be found out, with the reason as the end of a sentence. */
export interface NotKnown {
  readonly reason: string;
}

export function isKnown<Known extends object>(known: Known | NotKnown): known is Known {
  return !('reason' in known);
}

/** The full id of a commit that the clone contains; otherwise the reason why it cannot be read. */
export async function fetchedCommit(
  { version, commit }: { readonly version: string; readonly commit?: string },
  { repository, signal }: Pick<CommitSource, 'repository' | 'signal'>,
): Promise<{ readonly commit: string } | NotKnown> {
  if (commit === undefined) return { reason: `the platform does not say the commit of ${version}` };
  if (!commitIdPattern.test(commit))
    return {
      reason: `the platform says that the commit of ${version} is "${commit}", which is not a whole commit id`,
    };
  try {
    return { commit: await repository.resolveCommit(commit, { signal }) };
  } catch (error) {
    if (!isGitFailure(error)) throw error;
    const fetch = (await repository.isShallow({ signal }))
      ? 'git fetch --unshallow --tags'
      : 'git fetch --tags';
    return {
      reason: `this clone does not have the commit ${commit.slice(0, 12)} of ${version}; \`${fetch}\` may get it`,
    };
  }
}

/** Compares the commits of two versions; otherwise the reason why they are not known. */
export async function compareCommits(
  { live, wanted }: { readonly live: string; readonly wanted: string },
  source: CommitSource,
): Promise<PlannedCommits | NotKnown> {
  const none: CommitList = { count: 0, newest: [] };
  if (live === wanted) return { relation: 'identical', added: none, removed: none };
  try {
    return {
      relation: await relationOf(live, wanted, source),
      added: await commitsOf(live, wanted, source),
      removed: await commitsOf(wanted, live, source),
    };
  } catch (error) {
    if (!isGitFailure(error)) throw error;
    const fetch = (await source.repository.isShallow({ signal: source.signal }))
      ? '; `git fetch --unshallow --tags` gets the whole history'
      : '';
    return { reason: `${withoutPeriod(error.message)}${fetch}` };
  }
}

async function relationOf(
  live: string,
  wanted: string,
  { repository, signal }: CommitSource,
): Promise<PlannedCommits['relation']> {
  const base = await repository.mergeBase(live, wanted, { signal });
  if (base === undefined) return 'unrelated';
  if (base === live) return 'ahead';
  return base === wanted ? 'behind' : 'diverged';
}

async function commitsOf(
  base: string,
  head: string,
  { repository, directory, signal }: CommitSource,
): Promise<CommitList> {
  const { count, newest } = await repository.commitsSince(base, head, { signal, under: directory });
  return { count, newest: newest.map(plannedCommit) };
}

function plannedCommit({ commit, authorName, subject, committedAt }: CommitEntry): PlannedCommit {
  const pull = pullOf(subject);
  return {
    commit,
    author: authorName,
    subject,
    committedAt,
    ...(pull === undefined ? {} : { pull }),
  };
}

/** GitHub writes the number into the subjects of merges. */
function pullOf(subject: string): number | undefined {
  const [, merged, squashed] = /^Merge pull request #(\d{1,9}) |\(#(\d{1,9})\)$/u.exec(subject) ?? [];
  const number = merged ?? squashed;
  return number === undefined ? undefined : Number(number);
}

/** The page on which GitHub compares two commits; undefined for a repository that is hosted elsewhere. */
export function compareLink(
  remote: Remote | undefined,
  { live, wanted }: { readonly live: string; readonly wanted: string },
): string | undefined {
  if (remote === undefined || live === wanted || !remote.host.startsWith('github.')) return undefined;
  return `https://${remote.host}/${encodeURI(remote.path)}/compare/${live}...${wanted}`;
}

export function isGitFailure(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'git-failed';
}

/** A sentence without its period, for use inside another sentence. */
export function withoutPeriod(text: string): string {
  return text.replace(/\.$/u, '');
}
