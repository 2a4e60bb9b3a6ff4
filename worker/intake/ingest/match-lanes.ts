import { type EffectivePolicy, effectivePolicy } from '../../../lib/config/worker/effective-policy.ts';
import { lanesForPush } from '../../../lib/config/worker/lanes-for-push.ts';
import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { releaseVersion } from '../../../lib/config/project/release-version.ts';
import type { ConfiguredLane } from '../../records/configured.ts';
import type { PromotionLane, VersionChoice } from '../../records/promotion-task.ts';

/** What the policy needs to know about a pushed ref. */
export interface PushedRef {
  readonly repositoryId: number;
  readonly ref: string;
  readonly commit: string;
  /** For a tag: the branches that contain its commit, read from the repository. */
  readonly branchesOfTag: readonly string[];
}

/** A lane that a push starts, with the version to promote through it. */
export interface MatchedLane {
  readonly lane: PromotionLane;
  readonly version: VersionChoice;
}

/**
 * Finds the lanes that a push starts, according to both millrace.yaml and worker.yaml. Throws Failure
 * 'not-allowed-here' with the line of worker.yaml, 'no-project'.
 */
export function matchLanes(
  worker: WorkerConfig,
  config: ProjectConfig,
  pushed: PushedRef,
  directory = '.',
): readonly MatchedLane[] {
  const policy = effectivePolicy(worker, pushed.repositoryId, config);
  const { branch, tag } = namesOf(pushed.ref);
  const lanes = lanesForPush(policy, {
    ...(branch === undefined ? {} : { branch }),
    ...(tag === undefined ? {} : { tag }),
    branchesOfTag: pushed.branchesOfTag,
  });
  return lanes.map((lane) => ({
    lane: laneOf(lane, policy, directory),
    version: versionOf(lane, config, tag, pushed.commit),
  }));
}

/** The names in a ref without its prefix. */
export function namesOf(ref: string): { readonly branch?: string; readonly tag?: string } {
  if (ref.startsWith('refs/heads/')) return { branch: ref.slice('refs/heads/'.length) };
  return { tag: ref.slice('refs/tags/'.length) };
}

/** A lane in the form in which promotions pass through it, with all lanes that follow it. */
export function laneOf(lane: ConfiguredLane, policy: EffectivePolicy, directory: string): PromotionLane {
  const { repository, project, lanes } = policy;
  const { name, from, to, versions, verify, onFailure, onConflict, limits, gates } = lane;
  return {
    name,
    id: `${repository.id}/${project.toLowerCase()}/${name}`,
    project,
    ...(directory === '.' ? {} : { directory }),
    credential: repository.credential,
    from,
    to,
    policy: lane.policy,
    versions,
    verify,
    onFailure,
    onConflict,
    limits,
    gates,
    // The parser of millrace.yaml refuses cycles.
    next: lanes.filter(({ after }) => after === name).map((after) => laneOf(after, policy, directory)),
  };
}

function versionOf(
  lane: ConfiguredLane,
  { release }: ProjectConfig,
  tag: string | undefined,
  commit: string,
): VersionChoice {
  switch (lane.version) {
    case 'commit':
    case 'latest':
      return { kind: lane.version };
    case 'tag':
    case undefined:
      if (tag === undefined) return { kind: 'commit' };
      return { kind: 'named', name: releaseVersion(release, tag, commit) ?? tag, commit };
    default:
      return { kind: 'named', name: lane.version };
  }
}
