import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { PlatformCalls, Queues, Records } from '../../../promotion/context/ports.ts';
import type { Admission } from '../../../store/admission.ts';
import { messageOf } from '../../../../lib/core/errors/message-of.ts';
import { type ArtifactVersion, listArtifacts } from '../../../../flows/versions/find-artifact.ts';
import { versionDenial } from '../../../../flows/versions/version-order.ts';
import { meantClause } from '../../../../lib/core/text/did-you-mean.ts';
import { silentProgress } from '../../../../lib/core/ports/ports.ts';
import { admit, promotionIdOf } from '../../../promotion/admission/admit.ts';
import { anyVersion } from '../../../promotion/admission/lane-versions.ts';
import type { PromotionTask } from '../../../records/promotion-task.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import type { LaneRecord } from '../../../store/lanes/lane-record.ts';
import {
  type ApiAnswer,
  badGateway,
  conflict,
  ok,
  unknown,
  wrong,
  laneChanged,
  recordsLost,
} from './answers.ts';
import { type ApiCall, isYes, textOf } from './api-call.ts';

/** Timeout of the calls to the platform. */
const callTimeoutMs = 20_000;

/** Promotions of the lane that are searched for one of the same version. */
const maxSearched = 200;

/**
 * Promotes a version now, forward or back, at the request of an operator. It is a separate promotion with the
 * lane's gates, verification and history. If the target has the version, it is enabled, and newer versions are
 * disabled. A repeated call while the promotion is open returns the same promotion.
 */
export async function promoteVersion(
  call: ApiCall<Records<Admission & LaneReads> & PlatformCalls & Queues>,
): Promise<ApiAnswer> {
  const { id, operator, via, ports } = call;
  const [version, reason] = [textOf(call, 'version'), textOf(call, 'reason')];
  if (version === undefined) return wrong('a promotion needs a `version`');
  if (reason === undefined) return wrong('a promotion needs a `reason`');
  const lane = await ports.store.lane(id);
  if (lane === undefined) return unknown();
  const last = await lastOf(lane, ports);
  const settings = await settingsOf(lane, ports);
  if (last === undefined || settings === undefined)
    return conflict('the lane has had no promotion yet: push a branch or tag that starts it first');
  if (isOpenRequest(last, version)) return ok({ promotion: last.id, version }, 202);
  const denial = versionDenial(version, settings.lane.versions ?? anyVersion);
  if (denial !== undefined && !isYes(call, 'anyVersion'))
    return conflict(`${denial}; to promote the version all the same, set \`anyVersion\` (--any-version)`);
  const artifact = await findInSource(call, lane, { version, credential: settings.lane.credential });
  if ('body' in artifact) return artifact;
  const overrides = denial === undefined ? {} : { overrides: denial };
  const person = { by: operator.name, via, githubId: operator.github?.id };
  const request = { ...person, reason, ...overrides };
  const task = await taskOf(call, { version, request, settings, artifact });
  if (task === undefined)
    return conflict(`the platform does not say from which commit ${version} in ${lane.from} was built`);
  const promotionId = promotionIdOf(id, `request of ${version} after ${lane.seq}`);
  const audit = {
    by: operator.name,
    via,
    act: 'promote',
    data: JSON.stringify({ version, reason, ...overrides }),
  } as const;
  const accepted = await admit(
    { promotionId, task, order: 'any', head: { field: '', value: '' }, expectedSeq: lane.seq, audit },
    ports,
  );
  if (accepted.status === 'lost') return conflict(recordsLost);
  if (accepted.status !== 'accepted') {
    // The same request at the same time, such as a second click.
    const now = await lastOf(await ports.store.lane(id), ports);
    if (now !== undefined && isOpenRequest(now, version)) return ok({ promotion: now.id, version }, 202);
    return conflict(laneChanged);
  }
  return ok({ promotion: promotionId, version, commit: task.commit }, 202);
}

/** The promotion that the lane accepted last. */
async function lastOf(
  lane: LaneRecord | undefined,
  { store }: Records<LaneReads>,
): Promise<PromotionRecord | undefined> {
  const { lastPromotion } = lane ?? {};
  return lastPromotion === undefined ? undefined : store.promotion(lastPromotion);
}

/**
 * The lane's settings of the newest push that it accepted, because the retry of an old promotion has older
 * settings. Undefined if the lane has had no promotion yet.
 */
export async function settingsOf(
  lane: LaneRecord,
  ports: Records<LaneReads>,
): Promise<PromotionTask | undefined> {
  const { lastAccepted } = lane;
  const newest = lastAccepted === undefined ? undefined : await ports.store.promotion(lastAccepted);
  return (newest ?? (await lastOf(lane, ports)))?.task;
}

/** The text that says why a version cannot be promoted from an environment in which it is not enabled. */
export function describeRefusedVersion(
  version: string,
  versions: readonly ArtifactVersion[],
  from: string,
): string {
  const names = versions.map(({ versionName }) => versionName);
  if (names.includes(version)) return `${version} is disabled in ${from}`;
  const hint = meantClause(version, names) || `; publish it to ${from} or promote it there first`;
  return `${version} is not in ${from}${hint}`;
}

function isOpenRequest({ state, task, version }: PromotionRecord, requested: string): boolean {
  return task.request !== undefined && version === requested && (state === 'queued' || state === 'active');
}

async function findInSource(
  { ports }: ApiCall<PlatformCalls>,
  { from, project }: LaneRecord,
  { version, credential }: { readonly version: string; readonly credential: string },
): Promise<ArtifactVersion | ApiAnswer> {
  const { clock, random, logger } = ports;
  const signal = AbortSignal.timeout(callTimeoutMs);
  try {
    const { client } = ports.platformFor(credential);
    const context = { client, projectId: project, clock, random, logger, progress: silentProgress, signal };
    const versions = await listArtifacts(from, context);
    const artifact = versions.find(({ versionName }) => versionName === version);
    return artifact?.enabled === true ? artifact : conflict(describeRefusedVersion(version, versions, from));
  } catch (error) {
    return badGateway(`the platform did not answer: ${messageOf(error)}`);
  }
}

/**
 * The lane as the newest push passes through it, for the commit of the artifact. Who pushed the commit comes from an
 * earlier promotion of the version, if there is one; otherwise one more approval is needed, as for every unknown pusher.
 * Undefined if the commit is not known.
 */
async function taskOf(
  { id, ports }: ApiCall<Records<LaneReads>>,
  {
    version,
    request,
    settings,
    artifact,
  }: {
    readonly version: string;
    readonly request: PromotionTask['request'] & {};
    readonly settings: PromotionTask;
    readonly artifact: ArtifactVersion;
  },
): Promise<PromotionTask | undefined> {
  const ids = await ports.store.promotionIdsOf([id], maxSearched);
  const earlier = await Promise.all(ids.map((promotionId) => ports.store.promotion(promotionId)));
  const hash = artifact.commitHash?.trim() || undefined;
  const same = earlier.find(
    (promotion) =>
      promotion?.version === version &&
      (hash === undefined || (promotion.artifactCommit ?? promotion.task.commit) === hash),
  );
  const commit = hash ?? same?.task.commit;
  if (commit === undefined) return undefined;
  const { repository, delivery, lane } = settings;
  const earlierTask = same?.task.commit === commit ? same.task : undefined;
  return {
    repository,
    delivery,
    lane,
    ref: earlierTask?.ref ?? settings.ref,
    commit,
    ...(earlierTask?.pusher === undefined ? {} : { pusher: earlierTask.pusher }),
    ...(earlierTask?.otherPushers === undefined ? {} : { otherPushers: earlierTask.otherPushers }),
    ...(earlierTask?.authors === undefined ? {} : { authors: earlierTask.authors }),
    ...(earlierTask?.authorIds === undefined ? {} : { authorIds: earlierTask.authorIds }),
    ...(earlierTask?.areAuthorsKnown === undefined ? {} : { areAuthorsKnown: earlierTask.areAuthorsKnown }),
    // The lane may have gone back since: its gate reads the authors since the version that is verified now.
    ...(earlierTask?.authorsReadFrom === undefined ? {} : { mayHaveOtherAuthors: true }),
    ...(earlierTask?.mayHaveOtherAuthors === true ? { mayHaveOtherAuthors: true } : {}),
    // Named without a commit: the commit must be on an allowed branch, whatever was promoted before.
    version: { kind: 'named', name: version },
    request,
  };
}
