import type { GitHubPort } from '../github/github-port.ts';
import { countApprovals } from '../gates/count-approvals.ts';
import { standingRules } from '../gates/standing-rules.ts';
import { giveApproval } from '../operators/give-approval.ts';
import type { CommentEvent } from '../receiver/comment-event.ts';
import type { Engine } from '../run/engine.ts';
import type { RunRecord } from '../run/run-record.ts';

interface CommentContext {
  readonly github: Pick<GitHubPort, 'repository' | 'people'>;
  readonly engine: Engine;
}

/** So far GitHub's clock may be behind ours. */
const skewMs = 120_000;

/**
 * Takes a comment's approval, if its author may give it and exactly one run can be meant: one that waits for approval,
 * of the pull request's head or of what it was merged as, that was there when the comment was written. Else nothing
 * happens. Gives what became of it, in words. Throws what GitHub could not answer; it is then tried again.
 */
export async function approveByComment(
  event: CommentEvent,
  { github, engine }: CommentContext,
): Promise<string> {
  const { author, command, pull } = event;
  const { fullName } = await github.repository(event.repositoryId);
  const standing = await github.people.standingOf(fullName, author.login);
  if (standing?.id !== author.id) return 'nothing: the author is not known in the repository';
  if (!standing.mayWrite) return 'nothing: the author may not write to the repository';
  const commits = await github.people.pullCommits(fullName, pull);
  if (commits === undefined) return 'nothing: there is no such pull request';
  const waiting = (await waitingRuns(event, engine)).filter(
    ({ plan }) =>
      [commits.head, commits.merged].includes(plan.commit) &&
      (command.lane === undefined || command.lane === plan.lane.name),
  );
  const [run] = waiting;
  if (run === undefined) return 'nothing: no run of this pull request waits for approval';
  if (waiting.length > 1) {
    const lanes = waiting
      .map(({ plan }) => plan.lane.name)
      .toSorted()
      .join(', ');
    return `nothing: ${waiting.length} runs wait for approval; name one of the lanes ${lanes}`;
  }
  const who = { name: author.login, via: 'comment', githubId: author.id } as const;
  const seen = { run: run.id, commit: run.plan.commit, version: run.version ?? '' };
  const said = await giveApproval(who, seen, engine);
  return said === 'ok' ? `approved run ${run.id}` : `nothing: ${said}`;
}

/** Runs of the repository that want an approval still and were there when the comment was written. */
async function waitingRuns(event: CommentEvent, { store, config }: Engine): Promise<readonly RunRecord[]> {
  const runs = await Promise.all((await store.openIds()).map((id) => store.run(id)));
  return runs
    .filter((run) => run !== undefined)
    .filter((run) => {
      if (run.plan.repository.id !== event.repositoryId || run.createdAt > event.createdAt + skewMs)
        return false;
      if (run.state !== 'queued' && run.state !== 'active') return false;
      if (!['resolve', 'promote'].includes(run.step.name) || run.intent !== undefined) return false;
      const rules = standingRules(run.plan, config);
      if (rules === undefined || run.version === undefined) return false;
      const { given, needed } = countApprovals(run, rules);
      return given.length < needed;
    });
}
