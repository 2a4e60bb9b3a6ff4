import { orderByTime, type VersionTimes } from '../../../flows/versions/version-order.ts';
import { commitIdPattern } from '../../../lib/core/commit-id.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { GitHubRepository } from '../../../lib/github/repositories.ts';
import {
  anyVersion,
  compareWithLane,
  type LaneVersion,
  laneVersions,
} from '../../promotion/lane-versions.ts';
import type { Engine } from '../../promotion/engine.ts';
import type { PushEvent } from '../../records/push-event.ts';
import type { NewerVersion } from '../../store/acceptance.ts';
import type { LaneRecord } from '../../store/lane-record.ts';
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
 * commit with those of the lane's versions. Undefined if there is none. `record`: that of the lane, if it exists.
 */
export async function findNewer(
  { event, repository, head }: Pushed,
  { lane, version }: PlannedLane,
  { engine, github }: FindContext,
  record: LaneRecord | undefined,
): Promise<NewerVersion | undefined> {
  if (!event.ref.startsWith('refs/tags/')) return undefined;
  const versions = record === undefined ? [] : await laneVersions(lane, engine, record);
  if (version.kind === 'named') {
    const compared = compareWithLane(version.name, versions, lane.versions ?? anyVersion);
    if (compared.order === 'newer') return undefined;
    if (compared.order === 'older') {
      const { name = 'a version', commit } = compared.than;
      return { name, isSameCommit: commit === head };
    }
  }
  const named = version.kind === 'named' ? version.name : undefined;
  for (const { name, commit, ref } of othersThan({ ref: event.ref, name: named }, versions)) {
    const times = await readTimes(repository.fullName, [event.ref, ref], [head, commit], github);
    if (orderByTime(times) === 'older')
      return { name: name ?? `commit ${commit.slice(0, 12)}`, isSameCommit: commit === head };
  }
  return undefined;
}

/**
 * The versions with a known whole commit id, each once, without those of the tag itself: that it was moved back on purpose counts.
 */
function othersThan(
  { ref: own, name: ownName }: Pick<LaneVersion, 'ref' | 'name'>,
  versions: readonly LaneVersion[],
): readonly (LaneVersion & { readonly commit: string })[] {
  const isOwn = ({ ref, name }: LaneVersion): boolean =>
    ref === own || (name !== undefined && name === ownName);
  const known = versions.flatMap((one) =>
    one.commit !== undefined && commitIdPattern.test(one.commit) ? [{ ...one, commit: one.commit }] : [],
  );
  const seen = new Set(known.filter(isOwn).map(({ commit }) => commit));
  return known.filter((one) => {
    if (isOwn(one) || (one.ref === undefined && seen.has(one.commit))) return false;
    seen.add(one.commit);
    return true;
  });
}

const unknown = [undefined, undefined] as const;

/** Asks GitHub only for what decides. */
async function readTimes(
  fullName: string,
  [ref, otherRef]: readonly [string, string | undefined],
  [commit, other]: readonly [string, string],
  github: FindContext['github'],
): Promise<VersionTimes> {
  const first = commit === other ? 'identical' : await github.relation(fullName, other, commit);
  if (first === 'ahead' || first === 'behind')
    return { relation: first, committedAt: unknown, taggedAt: unknown };
  const committedAt =
    first === 'identical'
      ? unknown
      : ([await github.committedAt(fullName, commit), await github.committedAt(fullName, other)] as const);
  // GitHub may have begun to show them after the comparison.
  const relation =
    first === 'unrelated' && !committedAt.includes(undefined)
      ? await github.relation(fullName, other, commit)
      : first;
  const taggedAt =
    otherRef?.startsWith('refs/tags/') === true
      ? ([await github.taggedAt(fullName, ref), await github.taggedAt(fullName, otherRef)] as const)
      : unknown;
  return { relation, committedAt, taggedAt };
}
