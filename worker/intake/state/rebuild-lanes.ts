import type { StateChecks } from '../../store/recovery/state-checks.ts';
import { effectivePolicy } from '../../../lib/config/worker/effective-policy.ts';
import { readProjectConfig } from '../../../lib/config/project/read-project-config.ts';
import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { liveVersion } from '../../../flows/versions/live-version.ts';
import { silentProgress } from '../../../lib/core/ports/ports.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import { laneOf } from '../ingest/match-lanes.ts';
import { directoriesOf, policyFileIn } from '../ingest/policy-file.ts';
import type { LiveVersions, PlatformCalls, Records } from '../../promotion/context/ports.ts';
import type { PromotionLane } from '../../records/promotion-task.ts';

/**
 * Rebuilds the lost records of a repository's lanes, from millrace.yaml on the default branch and from the version
 * that executions use in each target now. All lanes are on hold afterwards. Throws errors of GitHub, and Failure
 * 'config-invalid', 'not-allowed-here'.
 */
export async function rebuildLanes(
  repositoryId: number,
  {
    config,
    github,
    ports,
  }: {
    readonly config: WorkerConfig;
    readonly github: GitHubPort;
    readonly ports: Records<StateChecks> & PlatformCalls & Pick<LiveVersions, 'live'>;
  },
): Promise<void> {
  const { fullName, defaultBranch } = await github.repository(repositoryId);
  const head = await github.head(fullName, `refs/heads/${defaultBranch}`);
  if (head === undefined) return;
  for (const directory of directoriesOf(config, repositoryId)) {
    const file = policyFileIn(directory);
    const text = await github.textAt(fullName, file, head);
    if (text === undefined) continue;
    const policy = effectivePolicy(config, repositoryId, readProjectConfig(text, file));
    for (const lane of policy.lanes) {
      const task = laneOf(lane, policy, directory);
      await ports.store.rebuild(task, fullName, await liveIn(task, ports));
      await ports.live.register([{ project: task.project, environment: task.to }]);
    }
  }
}

/**
 * The version that executions use in the target now; undefined if it cannot be read. The hold then shows less to a
 * person.
 */
async function liveIn(
  task: PromotionLane,
  ports: PlatformCalls,
): Promise<{ readonly version: string; readonly commit: string } | undefined> {
  const { clock, random, logger } = ports;
  try {
    const { client } = ports.platformFor(task.credential);
    const signal = AbortSignal.timeout(20_000);
    const context = {
      client,
      projectId: task.project,
      clock,
      random,
      logger,
      progress: silentProgress,
      signal,
    };
    const live = liveVersion(await listArtifacts(task.to, context));
    return live && { version: live.versionName, commit: live.commitHash ?? '' };
  } catch {
    return undefined;
  }
}
