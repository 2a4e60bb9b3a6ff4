import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Repository } from '../../../lib/git/repository.ts';
import type { RunFacts, Target } from '../../../lib/github/workflow-run/event-target.ts';

/** The checked-out commit, and how it relates to the commit of the event. */
export interface CheckedOutCommit {
  readonly commit: string;
  /** `merge`: GitHub's test merge of a pull request, or what it was merged as. */
  readonly kind: 'target' | 'merge' | 'other';
  /** Of a merge. The first one is what was merged into; a squash and a rebase have no other. */
  readonly parents: readonly string[];
  /** `the head of pull request 7`; without the commit itself. */
  readonly description: string;
}

/** Reads which commit is checked out. Throws Failure 'git-failed'. */
export async function readCheckedOutCommit(
  target: Target,
  repository: Repository,
  signal: AbortSignal,
): Promise<CheckedOutCommit> {
  const commit = await repository.resolveCommit('HEAD', { signal });
  if (commit === target.commit)
    return { commit, kind: 'target', parents: [], description: descriptionOf(target) };
  const other = { commit, kind: 'other', parents: [], description: 'not the commit of the event' } as const;
  const { mergeCommits = [], pullRequest, mergedCommits } = target;
  if (pullRequest === undefined || !mergeCommits.includes(commit)) return other;
  const parents = await repository.parents(commit, { signal });
  const [onto = '', head] = parents;
  if (mergedCommits !== undefined)
    return { commit, kind: 'merge', parents, description: `the merge commit of pull request ${pullRequest}` };
  // GitHub may not have made the test merge of a new head yet.
  if (head !== target.commit) return other;
  const merge = `GitHub’s test merge of the head ${short(head)} of pull request ${pullRequest}`;
  return { commit, kind: 'merge', parents, description: `${merge} into ${short(onto)}` };
}

function descriptionOf({ kind, branch, tag, pullRequest }: Target): string {
  switch (kind) {
    case 'pull-request':
      return `the head of pull request ${String(pullRequest)}`;
    case 'merge-group':
      return 'the head of the merge group';
    case 'branch':
      return `the branch ${branch}`;
    case 'tag':
      return `the tag ${String(tag)}`;
    case 'commit':
      return 'the commit of the event';
  }
}

/**
 * Throws Failure 'usage' if another commit is checked out than the one to check. The result would otherwise count
 * for a change that was never run.
 */
export function refuseOtherCheckOut(
  { kind, commit }: CheckedOutCommit,
  target: Target,
  { input, otherwise }: { readonly input: string; readonly otherwise: string },
): void {
  if (kind !== 'other') return;
  const [here, there] = [short(commit), short(target.commit)];
  const isPull = target.kind === 'pull-request';
  throw new Failure('usage', {
    message: isPull
      ? `The checked-out commit ${here} is neither the head ${there} of the pull request nor GitHub’s test merge of it.`
      : `The checked-out commit ${here} is not ${there}, the commit to check.`,
    where: { input },
    hint: `${isPull ? usualOfPull : usualOfOthers} ${otherwise}`,
  });
}

/** The sentence that says how to check another commit than the commit of the event. */
export const otherCheckOut = 'For another check-out, name its commit in the input commit.';

const usualOfPull = 'Start the workflow on pull_request, and use actions/checkout without a ref.';
const usualOfOthers = 'Check this commit out, with the input ref of actions/checkout.';

/**
 * Throws Failure 'usage' on pull_request_target. The usual check-out has the target branch there, so that nothing
 * of the pull request would be run; a check-out of its head would run beside the secrets of the repository.
 */
export function refusePullRequestTarget({ eventName }: RunFacts): void {
  if (eventName !== 'pull_request_target') return;
  throw new Failure('usage', {
    message:
      'The event pull_request_target runs with secrets and checks out the target branch, so the pipelines of the pull request are not run.',
    where: { input: 'GITHUB_EVENT_NAME' },
    hint: 'Start the workflow on pull_request, and use actions/checkout without a ref. Do not check out the head of the pull request on pull_request_target: its pipelines would run beside your secrets.',
  });
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
