import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { type ArtifactVersion, listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { liveVersion } from '../../../flows/versions/live-version.ts';
import { silentProgress } from '../../../lib/core/ports/ports.ts';
import { repositoryOf } from '../../store/lanes/lane-id.ts';
import { RateLimited } from '../../rate-limit/rate-limited.ts';
import type { LiveVersions, PlatformCalls, Policy, Records, Telemetry } from '../context/ports.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { StateChecks } from '../../store/recovery/state-checks.ts';
import { isCredentialFault } from '../advance/advance.ts';
import { type LiveTarget, targetName } from '../../store/live/live-target.ts';

/** An environment, the lanes that promote to it, and the credentials that can read it. */
interface KnownTarget extends LiveTarget {
  readonly lanes: readonly string[];
  readonly credentials: readonly string[];
}

/** A poll that takes longer has failed. */
const answerTimeoutMs = 20_000;

/** Longer than any poll: a worker that was killed during a poll does not block the others for long. */
const claimMs = 30_000;

/** Environments polled at once by one worker. */
const maxTargetsAtOnce = 8;

/** Interval between scans of the lanes for new environments. */
const scanMs = 15_000;

/**
 * Polls the live versions in the environments of all lanes. One poll serves all lanes of an environment, and all
 * workers. It uses only the part of the rate limit that promotions leave, and otherwise keeps the last answer.
 * Returns a function that does one round of polls.
 */
export function createLivePoller(
  ports: Records<LaneReads & StateChecks> &
    PlatformCalls &
    Pick<Policy, 'config' | 'settings'> &
    Pick<Telemetry, 'failures'> &
    Pick<LiveVersions, 'live'>,
  signal: AbortSignal,
): () => Promise<void> {
  const { live, clock, settings } = ports;
  let targets: ReadonlyMap<string, KnownTarget> = new Map();
  let scannedAt = Number.NEGATIVE_INFINITY;

  async function scan(): Promise<void> {
    targets = await targetsOf(ports);
    scannedAt = clock.now();
    await live.register([...targets.values()]);
  }

  return async () => {
    if (clock.now() - scannedAt >= scanMs) await scan();
    const due = await live.due(maxTargetsAtOnce);
    // A promotion makes its environment due, even if it is not known here yet.
    if (due.some((name) => !targets.has(name)) && clock.now() > scannedAt) await scan();
    const unchecked = new Set(due.length === 0 ? [] : (await ports.store.uncheckedLanes()).lanes);
    await Promise.all(
      due.map(async (name) => {
        const target = targets.get(name);
        if (target === undefined) return live.leave(name, settings.liveMs);
        // An answer would replace the one that the records of these lanes are compared with.
        if (target.lanes.some((lane) => unchecked.has(lane))) return live.leave(name, settings.liveTickMs);
        const number = await live.claim(target, claimMs);
        if (number !== undefined) await pollTarget(target, number, ports, signal);
      }),
    );
  };
}

/** The environments that lanes promote to, of repositories in worker.yaml. */
async function targetsOf({
  store,
  config,
}: Records<LaneReads> & Pick<Policy, 'config'>): Promise<ReadonlyMap<string, KnownTarget>> {
  const targets = new Map<string, KnownTarget>();
  for (const id of await store.laneIds()) {
    const repository = config.repositories.find((policy) => policy.id === repositoryOf(id));
    const lane = repository === undefined ? undefined : await store.lane(id);
    if (repository === undefined || lane === undefined) continue;
    const target = { project: lane.project, environment: lane.to };
    const before = targets.get(targetName(target));
    targets.set(targetName(target), {
      ...target,
      lanes: [...(before?.lanes ?? []), id],
      credentials: [...new Set([...(before?.credentials ?? []), repository.credential])],
    });
  }
  return targets;
}

async function pollTarget(
  target: KnownTarget,
  number: number,
  ports: PlatformCalls & Pick<Policy, 'settings'> & Pick<Telemetry, 'failures'> & Pick<LiveVersions, 'live'>,
  signal: AbortSignal,
): Promise<void> {
  const { live, settings, failures } = ports;
  const { project, environment } = target;
  const work = `live ${project} ${environment}`;
  const before = (await live.read(target)).answer;
  const late = AbortSignal.timeout(answerTimeoutMs);
  try {
    const versions = await list(target, ports, AbortSignal.any([signal, late]));
    const liveArtifact = liveVersion(versions);
    await live.keep(target, number, {
      version: liveArtifact?.versionName,
      commit: liveArtifact?.commitHash ?? undefined,
      nextMs: settings.liveMs,
      before: before?.version === undefined ? undefined : versionStatusOf(before.version, versions),
      lanes: target.lanes,
    });
    failures.worked(work);
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof RateLimited)
      return live.postpone(target, number, Math.min(Math.max(error.ms, 1_000), settings.liveMs));
    const reason = late.aborted ? `no answer within ${answerTimeoutMs / 1_000} s` : messageOf(error);
    await live.postpone(target, number, settings.liveMs, reason);
    failures.failed(work, 'Polling a live version failed.', { project, environment, error: reason });
  }
}

/** If one credential is refused, another one of the same project may work. */
async function list(
  target: KnownTarget,
  ports: PlatformCalls,
  signal: AbortSignal,
): Promise<readonly ArtifactVersion[]> {
  const { clock, random, logger } = ports;
  let refused: unknown;
  for (const credential of target.credentials) {
    try {
      const { client, rateLimiter } = ports.platformFor(credential);
      const context = { client, projectId: target.project, clock, random, logger, progress: silentProgress };
      return await rateLimiter.inBackground(() => listArtifacts(target.environment, { ...context, signal }));
    } catch (error) {
      if (!isCredentialFault(error)) throw error;
      refused = error;
    }
  }
  throw refused;
}

/** The status of the version that was live before. */
function versionStatusOf(
  version: string,
  versions: readonly ArtifactVersion[],
): { readonly version: string; readonly status: string } {
  const listed = versions.filter(({ versionName }) => versionName === version);
  if (listed.length === 0) return { version, status: 'no longer listed' };
  return { version, status: listed.some(({ enabled }) => enabled) ? 'enabled' : 'disabled' };
}
