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
 * Finds a version of the lane that is newer than the version of a pushed tag. Promoting the tag would then take the
 * target back, which only an operator may do. Compares the versions' names if the lane's names are comparable;
 * otherwise compares the tag's commit with the commits of the lane's versions. Undefined if no version is newer.
 * `record`: the record of the lane, if it exists.
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
