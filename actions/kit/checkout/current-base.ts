import { Failure } from '../../../lib/core/errors/failure.ts';
import type { GitHubConnection } from '../../../lib/github/workflow-run/connect-github.ts';
import type { Target } from '../../../lib/github/workflow-run/event-target.ts';

/**
 * The target with the base that its pull request has now. A workflow that is run again gets the payload of its first run,
 * so a pull request could otherwise return to the settings of a base that it no longer has. A note says what changed,
 * or that GitHub did not answer.
 */
export async function withCurrentBase(
  target: Target,
  { pulls, repository }: GitHubConnection,
): Promise<Target> {
  const { pullRequest, baseBranch } = target;
  if (pullRequest === undefined) return target;
  const noted = (note: string): Target => ({ ...target, notes: [...target.notes, note] });
  try {
    const base = (await pulls.commits(repository, pullRequest))?.base;
    if (base === undefined) return noted(`${unknownBase}.`);
    if (base.branch === baseBranch) return target;
    // GitHub’s test merges are those with the base of the event.
    return {
      ...noted(otherBase(base.branch, target)),
      base: base.commit,
      baseBranch: base.branch,
      mergeCommits: [],
    };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'cancelled') throw error;
    return noted(`${unknownBase}: ${error.message}`);
  }
}

const unknownBase =
  'Whether the pull request still has the base of the event is not known, because GitHub did not answer';

/** A note for the reader of the report: the pull request has another base now. */
export function otherBase(now: string, { baseBranch = '' }: Target): string {
  return `The pull request has another base by now: ${JSON.stringify(now)}, and not ${JSON.stringify(baseBranch)} as in the event.`;
}
