import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { failureDetails } from '../../../lib/github/access/failure-details.ts';
import type { CommitAuthors } from '../../../lib/github/endpoints/commits.ts';
import type { AuthorsRead, PromotionTask } from '../../records/promotion-task.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { GitHubReads, Records, Telemetry } from '../context/ports.ts';

/**
 * Adds the authors of all commits since the version that the lane verified last, if the lane forbids that authors
 * approve. The event of a push may not list them: the event of a tag never does, and no event knows which version
 * was verified last. Throws GitHub's rate limit; after any other failure, some authors stay unknown.
 */
export async function withUnlistedAuthors(
  task: PromotionTask,
  context: Records<LaneReads> & GitHubReads & Pick<Telemetry, 'logger'>,
): Promise<PromotionTask> {
  const { gates } = task.lane;
  if (gates.authorsMayApprove !== false || gates.approvals === 0) return task;
  const authors = await readUnlistedAuthors(task, context);
  if (authors === undefined) return { ...task, mayHaveOtherAuthors: true };
  const { people, isComplete, from } = authors;
  return {
    ...task,
    authors: [...new Set([...(task.authors ?? []), ...people.map(({ login }) => login)])],
    authorIds: {
      ...task.authorIds,
      ...Object.fromEntries(people.map(({ login, id: authorId }) => [login, authorId])),
    },
    mayHaveOtherAuthors: !isComplete,
    authorsReadFrom: from,
    ...(people.length > 0 ? { areAuthorsKnown: true } : {}),
  };
}

export const isTag = ({ ref }: Pick<PromotionTask, 'ref'>): boolean => ref.startsWith('refs/tags/');

/**
 * Asks GitHub for the authors of the commits between the version that the lane verified last and the promotion.
 * Undefined if no version was verified, or if GitHub cannot compare the commits. Throws GitHub's rate limit.
 */
export async function readUnlistedAuthors(
  task: PromotionTask,
  context: Records<LaneReads> & GitHubReads & Pick<Telemetry, 'logger'>,
): Promise<AuthorsRead | undefined> {
  const from = await verifiedCommit(task.lane.id, context);
  const authors = from === undefined ? undefined : await authorsSince(from, task, context);
  return from === undefined || authors === undefined ? undefined : { ...authors, from };
}

/** The commit of the version that a lane verified last; undefined if it is not known. */
async function verifiedCommit(lane: string, { store }: Records<LaneReads>): Promise<string | undefined> {
  const { verified } = (await store.lane(lane)) ?? {};
  if (verified === undefined) return undefined;
  const promotion = await store.promotion(verified.promotion);
  return promotion === undefined ? verified.commit : commitOf(promotion);
}

function commitOf({ artifactCommit, task }: PromotionRecord): string | undefined {
  if (artifactCommit !== undefined) return artifactCommit;
  switch (task.version.kind) {
    case 'named':
      return task.version.commit;
    case 'commit':
      return task.commit;
    case 'latest':
      return undefined;
  }
}

async function authorsSince(
  base: string,
  { repository, version, commit, lane }: PromotionTask,
  { github, logger }: GitHubReads & Pick<Telemetry, 'logger'>,
): Promise<CommitAuthors | undefined> {
  const head = version.kind === 'named' ? (version.commit ?? commit) : commit;
  try {
    // Read by its id, because the repository may have been renamed since the push.
    const { fullName } = await github.repository(repository.id);
    return await github.authorsBetween(fullName, base, head);
  } catch (error) {
    // A rate limit ends. A missing permission, or a comparison that is too large for GitHub, may stay, and then the
    // push would never be ingested.
    if (!(error instanceof Failure) || failureDetails(error).cause === 'rate-limit') throw error;
    logger.warn(
      'GitHub did not compare a version with the last verified one, so the authors of its commits are unknown.',
      {
        repository: repository.fullName,
        lane: lane.id,
        base,
        commit: head,
        error: messageOf(error),
      },
    );
    return undefined;
  }
}
