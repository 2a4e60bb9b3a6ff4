import type { GitHubPort } from '../../../lib/github/github-port.ts';
import { countApprovals } from '../../promotion/gates/count-approvals.ts';
import { standingRules } from '../../promotion/gates/standing-rules.ts';
import { refuseDisabled } from '../../promotion/live/ask-disabled.ts';
import { giveApproval } from '../../promotion/give-approval.ts';
import { commandOf, type CommentEvent } from '../../records/comment-event.ts';
import type { Engine } from '../../promotion/engine.ts';
import type { RunRecord } from '../../records/run-record.ts';

interface CommentContext {
  readonly github: Pick<GitHubPort, 'repository' | 'people'>;
  readonly engine: Engine;
}

/** A comment that is seen to within this time of GitHub's clock is about what is there now; GitHub's clock may be off by as much. */
const freshMs = 120_000;

/**
 * Takes a comment's approval, if its author may give it and exactly one run can be meant: one that waits for approval,
 * of the pull request's head or of what it was merged as, that was there, with its version, when the comment was written.
 * One that comes late (delivered or replayed afterwards) counts only where what its author saw can still be known: it
 * stands as it was, and the pull request was merged before. Else nothing happens. Gives what became of it, in words. Throws what GitHub could not answer; it is then tried again.
 */
export async function approveByComment(
  event: CommentEvent,
  { github, engine }: CommentContext,
): Promise<string> {
  const { author, command, pull } = event;
  const isLate = engine.clock.now() - event.createdAt > freshMs;
  const { fullName } = await github.repository(event.repositoryId);
  const standing = await github.people.standingOf(fullName, author.login);
  if (standing?.id !== author.id) return 'nothing: the author is not known in the repository';
  if (!standing.mayWrite) return 'nothing: the author may not write to the repository';
  const commits = await github.people.pullCommits(fullName, pull);
  if (commits === undefined) return 'nothing: there is no such pull request';
  if (isLate) {
    // Its head may have been another one then, which nothing tells any more.
    if (commits.mergedAt === undefined || commits.mergedAt > event.createdAt)
      return 'nothing: the comment comes late, and what its author saw is not known; comment again';
    const { comment: id, createdAt: since } = event;
    const text = await github.people.commentText(fullName, { pull, id, since });
    const still = text === undefined ? undefined : commandOf(text);
    if (still?.act !== command.act || still.lane !== command.lane)
      return 'nothing: the comment was taken back';
  }
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
  const given = await giveApproval(who, seen, engine);
  if (given.said === 'disabled') return `nothing: ${refuseDisabled(seen.version, given.environment)}`;
  const { said } = given;
  return said === 'ok' ? `approved run ${run.id}` : `nothing: ${said}`;
}

/** Our time at which the comment was written: to be before it is to have been there to be seen. */
function writtenAt({ createdAt, receivedAt }: CommentEvent): number {
  // Our own clock where it came at once, as those who made the runs went by.
  return receivedAt - createdAt > freshMs ? createdAt : receivedAt;
}

/** Runs of the repository that want an approval still and were there, with their version, when the comment was written. */
async function waitingRuns(event: CommentEvent, { store, config }: Engine): Promise<readonly RunRecord[]> {
  const seenAt = writtenAt(event);
  const runs = await Promise.all((await store.openIds()).map((id) => store.run(id)));
  return runs
    .filter((run) => run !== undefined)
    .filter((run) => {
      if (run.plan.repository.id !== event.repositoryId || run.createdAt > seenAt) return false;
      if (run.versionAt === undefined || run.versionAt > seenAt) return false;
      if (run.state !== 'queued' && run.state !== 'active') return false;
      if (!['resolve', 'promote'].includes(run.step.name) || run.intent !== undefined) return false;
      const rules = standingRules(run.plan, config);
      if (rules === undefined || run.version === undefined) return false;
      const { given, needed } = countApprovals(run, rules);
      return given.length < needed;
    });
}
