import { failureDetails } from '../../../lib/github/access/failure-details.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { GitHubRepository } from '../../../lib/github/endpoints/repositories.ts';
import type { PromotionTask } from '../../records/promotion-task.ts';
import type { PushEvent } from '../../records/push-event.ts';
import type { MatchedLane } from './match-lanes.ts';
import { withFollowing } from './match-push.ts';

/** Requests to GitHub at a time. */
const batch = 10;

/**
 * Finds GitHub's ids of the authors of a push, by login, if a lane forbids that authors approve. The event has only
 * logins, and a login can change before a person approves. An author without access to the repository is left out,
 * because that person cannot approve there.
 */
export async function findAuthorIds(
  { authors = [] }: PushEvent,
  { fullName }: GitHubRepository,
  matched: readonly MatchedLane[],
  github: Pick<GitHubPort, 'people'>,
): Promise<NonNullable<PromotionTask['authorIds']>> {
  const lanes = matched.flatMap(({ lane }) => withFollowing(lane));
  if (!lanes.some(({ gates }) => gates.authorsMayApprove === false)) return {};
  const idsByLogin: (readonly [string, number])[] = [];
  for (let i = 0; i < authors.length; i += batch) {
    const found = await Promise.all(
      authors.slice(i, i + batch).map(async (login) => {
        const id = await findId(fullName, login, github);
        return id === undefined ? [] : [[login, id] as const];
      }),
    );
    idsByLogin.push(...found.flat());
  }
  return Object.fromEntries(idsByLogin);
}

async function findId(
  fullName: string,
  login: string,
  { people }: Pick<GitHubPort, 'people'>,
): Promise<number | undefined> {
  try {
    return (await people.accessOf(fullName, login))?.id;
  } catch (error) {
    // Without the permission only the login counts: otherwise no push would be ingested.
    if (failureDetails(error).cause === 'permission') return undefined;
    throw error;
  }
}
