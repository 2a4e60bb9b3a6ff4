import { Failure } from '../../../lib/core/errors/failure.ts';
import type { GitHubConnection } from '../../../lib/github/workflow-run/connect-github.ts';
import type { Target } from '../../../lib/github/workflow-run/event-target.ts';

/**
 * The target of the event, with the current base of its pull request. A re-run of a workflow gets the payload of
 * its first run, so a pull request could otherwise go back to the settings of an earlier base. A note says what
 * changed, or that GitHub did not answer.
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

/** The note that the pull request now has another base than in the event. */
export function otherBase(now: string, { baseBranch = '' }: Target): string {
  return `The base of the pull request was changed from ${JSON.stringify(baseBranch)}, as in the event, to ${JSON.stringify(now)}.`;
}
