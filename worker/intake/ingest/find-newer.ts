import { orderByTime, type VersionTimes } from '../../../flows/versions/version-order.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { GitHubRepository } from '../../../lib/github/repositories.ts';
import { anyVersion, compareWithLane, laneVersions } from '../../promotion/lane-versions.ts';
import type { Engine } from '../../promotion/engine.ts';
import type { PushEvent } from '../../records/push-event.ts';
import type { NewerVersion } from '../../store/acceptance.ts';
import type { PlannedLane } from './plan-lanes.ts';

interface Pushed {
  readonly event: PushEvent;
  readonly repository: GitHubRepository;
  readonly head: string;
}

interface FindContext {
  readonly engine: Pick<Engine, 'store' | 'live'>;
  readonly github: Pick<GitHubPort, 'relation' | 'committedAt' | 'taggedAt'>;
}

/**
 * The version of a lane that is newer than that of a pushed tag: promoting the tag would take the target back, whatever
 * the policy, and only an operator does that. Compares names where the lane has comparable ones, otherwise the tag's
 * commit with the one that the lane accepted last. Undefined if there is none.
 */
export async function findNewer(
  { event, repository, head }: Pushed,
  { lane, version }: PlannedLane,
  { engine, github }: FindContext,
): Promise<NewerVersion | undefined> {
  if (!event.ref.startsWith('refs/tags/')) return undefined;
  if (version.kind === 'named') {
    const versions = await laneVersions(lane, engine);
    const compared = compareWithLane(version.name, versions, lane.versions ?? anyVersion);
    if (compared.order === 'newer') return undefined;
    if (compared.order === 'older') {
      const { name = 'a version', commit } = compared.than;
      return { name, isSameCommit: commit === head };
    }
  }
  // A tag that was moved back on purpose counts.
  if ((await engine.store.head(lane.id, event.ref)) !== undefined) return undefined;
  const { lastCommit: last, lastPromotion } = (await engine.store.lane(lane.id)) ?? {};
  if (last === undefined) return undefined;
  const promotion = lastPromotion === undefined ? undefined : await engine.store.promotion(lastPromotion);
  const lastRef = promotion?.plan.commit === last ? promotion.plan.ref : undefined;
  const times = await readTimes(repository.fullName, [event.ref, lastRef], [head, last], github);
  if (orderByTime(times) !== 'older') return undefined;
  return { name: promotion?.version ?? `commit ${last.slice(0, 12)}`, isSameCommit: last === head };
}

/** Asks GitHub only for what decides. */
async function readTimes(
  fullName: string,
  [ref, otherRef]: readonly [string, string | undefined],
  [commit, other]: readonly [string, string],
  github: FindContext['github'],
): Promise<VersionTimes> {
  const relation = commit === other ? 'identical' : await github.relation(fullName, other, commit);
  const unknown = [undefined, undefined] as const;
  if (relation === 'ahead' || relation === 'behind')
    return { relation, committedAt: unknown, taggedAt: unknown };
  const committedAt =
    relation === 'identical'
      ? unknown
      : ([await github.committedAt(fullName, commit), await github.committedAt(fullName, other)] as const);
  const taggedAt =
    otherRef?.startsWith('refs/tags/') === true
      ? ([await github.taggedAt(fullName, ref), await github.taggedAt(fullName, otherRef)] as const)
      : unknown;
  return { relation, committedAt, taggedAt };
}
