import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { type ArtifactVersion, listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { liveVersion } from '../../../flows/versions/live-version.ts';
import { silentProgress } from '../../../lib/core/ports/ports.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type {
  LiveVersions,
  PlatformCalls,
  Policy,
  Records,
  Telemetry,
} from '../../promotion/context/ports.ts';
import type { StateChecks } from '../../store/recovery/state-checks.ts';
import { hasBegun, type PromotionRecord } from '../../records/promotion-record.ts';
import { repositoryOf } from '../../store/lanes/lane-id.ts';
import type { LaneRecord } from '../../store/lanes/lane-record.ts';
import { targetName } from '../../store/live/live-target.ts';
import { foundAhead } from './found-ahead.ts';
import { shownOnGitHub } from './shown-on-github.ts';

/** A lane whose records are compared. */
interface Compared {
  readonly lane: LaneRecord;
  readonly credential: string;
}

/** Environments compared at once. */
const atOnce = 8;

const answerTimeoutMs = 20_000;

/**
 * Compares the records of lanes with the platform (what is live in the target) and with what GitHub shows about the
 * promotion, if Redis was restarted since the last comparison. Holds lanes that disagree. A lane that cannot be
 * read now is compared later; until then, nothing is changed in its target. Returns the number of lanes that are
 * left. Throws errors of Redis.
 */
export async function compareLanes(
  ports: Records<LaneReads & StateChecks> &
    PlatformCalls &
    Pick<Policy, 'config'> &
    Pick<Telemetry, 'failures' | 'metrics'> &
    Pick<LiveVersions, 'live'>,
  github: GitHubPort,
): Promise<number> {
  const { run, since, lanes } = await ports.store.uncheckedLanes();
  const targets = await targetsOf(lanes, ports);
  const waiting = [...targets.values()];
  let left = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      left += await compareTarget(next, { run, since }, ports, github);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return left;
}

/**
 * The lanes by their environments; lanes with an active promotion come first. A lane that worker.yaml does not name
 * stays.
 */
async function targetsOf(
  ids: readonly string[],
  { store, config }: Records<LaneReads> & Pick<Policy, 'config'>,
): Promise<ReadonlyMap<string, readonly Compared[]>> {
  const targets = new Map<string, readonly Compared[]>();
  const toCompare: Compared[] = [];
  for (const id of ids) {
    const repository = config.repositories.find((policy) => policy.id === repositoryOf(id));
    const lane = repository === undefined ? undefined : await store.lane(id);
    if (repository !== undefined && lane !== undefined)
      toCompare.push({ lane, credential: repository.credential });
  }
  const rank = ({ lane }: Compared): number => (lane.active === undefined ? 1 : 0);
  for (const entry of toCompare.toSorted((a, b) => rank(a) - rank(b))) {
    const name = targetName({ project: entry.lane.project, environment: entry.lane.to });
    targets.set(name, [...(targets.get(name) ?? []), entry]);
  }
  return targets;
}

/** Returns the number of lanes that could not be compared. */
async function compareTarget(
  compared: readonly Compared[],
  { run, since }: { readonly run: string; readonly since: number },
  ports: Records<LaneReads & StateChecks> &
    PlatformCalls &
    Pick<Telemetry, 'failures' | 'metrics'> &
    Pick<LiveVersions, 'live'>,
  github: GitHubPort,
): Promise<number> {
  const [first] = compared;
  if (first === undefined) return 0;
  const { project, to } = first.lane;
  const work = `comparing ${project} ${to}`;
  const findings: { readonly lane: LaneRecord; readonly what: string | undefined }[] = [];
  try {
    const artifactsIn = createReader(first, ports);
    const live = liveVersion(await artifactsIn(to))?.versionName;
    for (const { lane } of compared) {
      const open = await openPromotions(lane, ports.store);
      const what =
        (await contradiction(lane, open, { live, since }, ports)) ??
        (await foundAhead(open, artifactsIn, ports));
      findings.push({ lane, what });
    }
    ports.failures.worked(work);
  } catch (error) {
    ports.failures.failed(
      work,
      'The records of lanes cannot be compared with the platform; nothing is promoted in them.',
      {
        project,
        environment: to,
        error: messageOf(error),
      },
    );
    return compared.length;
  }
  for (const { lane, what } of findings) {
    const reason = what ?? (await shownOnGitHub(lane, ports, github));
    const status = await ports.store.endCheck(lane.id, run, reason);
    if (status !== 'held') continue;
    ports.metrics.stateOlder.inc();
    ports.logger.error(
      'A lane is now on hold: its records are older than what the platform or GitHub shows.',
      {
        lane: lane.id,
        found: reason,
      },
    );
  }
  return 0;
}

/** Reads the artifacts of an environment of the lane's project, each once. */
function createReader(
  { lane, credential }: Compared,
  ports: PlatformCalls,
): (environment: string) => Promise<readonly ArtifactVersion[]> {
  const { clock, random, logger } = ports;
  const { client } = ports.platformFor(credential);
  const signal = AbortSignal.timeout(answerTimeoutMs);
  const context = {
    client,
    projectId: lane.project,
    clock,
    random,
    logger,
    progress: silentProgress,
    signal,
  };
  const read = new Map<string, Promise<readonly ArtifactVersion[]>>();
  return async (environment) => {
    const artifacts = read.get(environment) ?? listArtifacts(environment, context);
    read.set(environment, artifacts);
    return artifacts;
  };
}

/** What is live, if the records cannot explain it. */
async function contradiction(
  lane: LaneRecord,
  open: readonly PromotionRecord[],
  { live, since }: { readonly live: string | undefined; readonly since: number },
  { live: liveStore }: Pick<LiveVersions, 'live'>,
): Promise<string | undefined> {
  const liveRecord = await liveStore.read({ project: lane.project, environment: lane.to });
  // A promotion that was accepted since has changed nothing: if its version is live, another promotion brought it
  // there, whose record is lost.
  const explained = [
    liveRecord.brought?.version,
    ...open
      .filter((promotion) => promotion.createdAt < since && hasBegun(promotion))
      .map(({ version }) => version),
    ...(liveRecord.answer === undefined
      ? [lane.verified?.version, lane.found?.version]
      : [liveRecord.answer.version]),
  ];
  if (explained.includes(live)) return undefined;
  const recorded =
    liveRecord.answer === undefined
      ? (liveRecord.brought?.version ?? lane.verified?.version)
      : liveRecord.answer.version;
  const isFresh = liveRecord.answer === undefined && recorded === undefined && lane.found === undefined;
  // Nothing was recorded about the target yet: only a version that this lane was about to promote says something.
  if (isFresh && !open.some(({ version }) => version === live && live !== undefined)) return undefined;
  return `${live ?? 'no version'} is live in ${lane.to}, but the records name ${recorded ?? 'no version'}`;
}

async function openPromotions(lane: LaneRecord, store: LaneReads): Promise<readonly PromotionRecord[]> {
  const ids = [...(lane.active === undefined ? [] : [lane.active]), ...lane.waiting];
  const promotions = await Promise.all(ids.map((id) => store.promotion(id)));
  return promotions.filter((promotion) => promotion !== undefined);
}
