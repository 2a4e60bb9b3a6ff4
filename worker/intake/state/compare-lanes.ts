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
 * Compares the records of all lanes that are not compared since Redis was restarted with the platform and GitHub: what is live in
 * the target, and what GitHub shows about the promotion. Holds those that disagree. What cannot be read now stays to be
 * compared; nothing takes effect in it. Returns the number of lanes that are left. Throws errors of Redis.
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

/** The lanes by their environments; those that are at work first. A lane that worker.yaml does not name stays. */
async function targetsOf(
  ids: readonly string[],
  { store, config }: Records<LaneReads> & Pick<Policy, 'config'>,
): Promise<ReadonlyMap<string, readonly Compared[]>> {
  const targets = new Map<string, readonly Compared[]>();
  const found: Compared[] = [];
  for (const id of ids) {
    const repository = config.repositories.find((one) => one.id === repositoryOf(id));
    const lane = repository === undefined ? undefined : await store.lane(id);
    if (repository !== undefined && lane !== undefined)
      found.push({ lane, credential: repository.credential });
  }
  const rank = ({ lane }: Compared): number => (lane.active === undefined ? 1 : 0);
  for (const one of found.toSorted((a, b) => rank(a) - rank(b))) {
    const name = targetName({ project: one.lane.project, environment: one.lane.to });
    targets.set(name, [...(targets.get(name) ?? []), one]);
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
  const found: { readonly lane: LaneRecord; readonly what: string | undefined }[] = [];
  try {
    const artifactsIn = createReader(first, ports);
    const live = liveVersion(await artifactsIn(to))?.versionName;
    for (const { lane } of compared) {
      const open = await openPromotions(lane, ports.store);
      const what =
        (await contradiction(lane, open, { live, since }, ports)) ??
        (await foundAhead(open, artifactsIn, ports));
      found.push({ lane, what });
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
  for (const { lane, what } of found) {
    const reason = what ?? (await shownOnGitHub(lane, ports, github));
    const status = await ports.store.endCheck(lane.id, run, reason);
    if (status !== 'held') continue;
    ports.metrics.stateOlder.inc();
    ports.logger.error('A lane is held: its records are older than what happened.', {
      lane: lane.id,
      found: reason,
    });
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
    const known = read.get(environment) ?? listArtifacts(environment, context);
    read.set(environment, known);
    return known;
  };
}

/** What is live, if the records cannot explain it. */
async function contradiction(
  lane: LaneRecord,
  open: readonly PromotionRecord[],
  { live, since }: { readonly live: string | undefined; readonly since: number },
  { live: liveStore }: Pick<LiveVersions, 'live'>,
): Promise<string | undefined> {
  const known = await liveStore.read({ project: lane.project, environment: lane.to });
  // One that was accepted since has changed nothing: its version may be there because of what is lost.
  const explained = [
    known.brought?.version,
    ...open.filter((one) => one.createdAt < since && hasBegun(one)).map(({ version }) => version),
    ...(known.answer === undefined ? [lane.verified?.version, lane.found?.version] : [known.answer.version]),
  ];
  if (explained.includes(live)) return undefined;
  const recorded =
    known.answer === undefined ? (known.brought?.version ?? lane.verified?.version) : known.answer.version;
  const isFresh = known.answer === undefined && recorded === undefined && lane.found === undefined;
  // Nothing was recorded about the target yet: only a version that this lane was about to promote says something.
  if (isFresh && !open.some(({ version }) => version === live && live !== undefined)) return undefined;
  return `${live ?? 'nothing'} is live in ${lane.to}, and the records know ${recorded ?? 'nothing'} there`;
}

async function openPromotions(lane: LaneRecord, store: LaneReads): Promise<readonly PromotionRecord[]> {
  const ids = [...(lane.active === undefined ? [] : [lane.active]), ...lane.waiting];
  const found = await Promise.all(ids.map((id) => store.promotion(id)));
  return found.filter((one) => one !== undefined);
}
