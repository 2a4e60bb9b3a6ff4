import type { LiveVersions, Records } from '../../promotion/context/ports.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import { findNewerVersion } from '../../../flows/versions/newer-version.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { GitHubRepository } from '../../../lib/github/endpoints/repositories.ts';
import { anyVersion, laneVersions } from '../../promotion/admission/lane-versions.ts';
import type { PushEvent } from '../../records/push-event.ts';
import type { NewerVersion } from '../../store/lanes/acceptance.ts';
import type { LaneRecord } from '../../store/lanes/lane-record.ts';
import type { MatchedLane } from './match-lanes.ts';

interface Pushed {
  readonly event: PushEvent;
  readonly repository: GitHubRepository;
  readonly head: string;
}

interface FindContext {
  readonly ports: Records<LaneReads> & Pick<LiveVersions, 'live'>;
  readonly github: Pick<GitHubPort, 'relation' | 'committedAt' | 'taggedAt'>;
}

/**
 * The version of a lane that is newer than the version of a pushed tag: promoting the tag would take the target back, whatever
 * the policy, and only an operator does that. Compares names if the lane has comparable ones, otherwise the tag's
 * commit with the commits of the lane's versions. Undefined if there is none. `record`: the record of the lane, if it
 * exists.
 */
export async function findNewer(
  { event, repository, head }: Pushed,
  { lane, version }: MatchedLane,
  { ports, github }: FindContext,
  record: LaneRecord | undefined,
): Promise<NewerVersion | undefined> {
  if (!event.ref.startsWith('refs/tags/')) return undefined;
  const versions = record === undefined ? [] : await laneVersions(lane, ports, record);
  const { fullName } = repository;
  const comparison = await findNewerVersion(
    { name: version.kind === 'named' ? version.name : undefined, commit: head, ref: event.ref },
    versions,
    lane.versions ?? anyVersion,
    {
      relation: (base, commit) => github.relation(fullName, base, commit),
      committedAt: (commit) => github.committedAt(fullName, commit),
      taggedAt: (ref) => github.taggedAt(fullName, ref),
    },
  );
  if (comparison.status !== 'older') return undefined;
  const { name, commit } = comparison.than;
  return {
    name: name ?? (commit === undefined ? 'a version' : `commit ${commit.slice(0, 12)}`),
    isSameCommit: commit === head,
  };
}
