import {
  describePull,
  describeRepository,
  type PullDescription,
  type RepositoryDescription,
} from './describe.ts';
import { openGitObjects } from '../git/git-objects.ts';
import type { State } from './state.ts';

interface Common {
  readonly repository: RepositoryDescription;
  readonly sender: { readonly login: string };
}

export interface PullRequestEvent extends Common {
  readonly action: string;
  readonly number: number;
  readonly pull_request: PullDescription;
}

export interface PushEvent extends Common {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly created: boolean;
  readonly deleted: boolean;
  readonly forced: boolean;
  readonly commits: readonly unknown[];
  readonly head_commit: { readonly id: string } | null;
}

/** Payloads of webhooks and of `GITHUB_EVENT_PATH`, with the fields that a consumer may rely on. */
export interface Events {
  /** Also brings `refs/pull/N/head` and `refs/pull/N/merge` up to date, as GitHub does before it sends an event. */
  pullRequest(
    fullName: string,
    number: number,
    action?: string,
  ): Promise<PullRequestEvent & { mergeSha: string }>;
  /** @param ref full name, `refs/heads/…` or `refs/tags/…`; `before` is the null commit by default */
  push(fullName: string, ref: string, before?: string): Promise<PushEvent>;
}

const none = '0'.repeat(40);

export function createEvents(place: { state: State; url: string; apiUrl: string }): Events {
  const common = async (fullName: string): Promise<Common> => ({
    repository: await describeRepository({ ...place, repository: place.state.repository(fullName) }),
    sender: { login: 'octocat' },
  });
  return {
    async pullRequest(fullName, number, action = 'synchronize') {
      const repository = place.state.repository(fullName);
      const pull = repository.pulls.find((entry) => entry.number === number);
      if (pull === undefined) throw new Error(`no pull request ${String(number)} in ${fullName}`);
      const shown = await describePull({ ...place, repository }, pull);
      const { git } = repository;
      const tree = (await git.git('merge-tree', '--write-tree', shown.base.sha, shown.head.sha)).trim();
      const objects = openGitObjects(git.path);
      const mergeSha = objects.commit({
        tree,
        parents: [shown.base.sha, shown.head.sha],
        message: `Merge ${shown.head.sha}\n`,
        seconds: Math.floor(Date.now() / 1000),
      });
      objects.setRef(`refs/pull/${String(number)}/merge`, mergeSha);
      return { action, number, pull_request: shown, mergeSha, ...(await common(fullName)) };
    },
    async push(fullName, ref, before = none) {
      const { git } = place.state.repository(fullName);
      const tip = (await git.refs(ref)).find((entry) => entry.ref === ref);
      const after = tip?.sha ?? none;
      return {
        ref,
        before,
        after,
        created: before === none,
        deleted: tip === undefined,
        forced: false,
        commits: [],
        // For an annotated tag, `after` is the tag object.
        head_commit: tip === undefined ? null : { id: (await git.commit(ref)) ?? after },
        ...(await common(fullName)),
      };
    },
  };
}
