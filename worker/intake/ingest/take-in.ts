import type { Admission } from '../../store/admission.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { GitHubRepository } from '../../../lib/github/endpoints/repositories.ts';
import { admit, promotionIdOf } from '../../promotion/admission/admit.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { GateDecisions } from '../../store/gates/gate-decisions.ts';
import type { GitHubReads, LiveVersions, Queues, Records, Telemetry } from '../../promotion/context/ports.ts';
import type { IngestResult } from '../../records/ingest-result.ts';
import type { PromotionLane, PromotionTask, Pusher } from '../../records/promotion-task.ts';
import type { PushEvent } from '../../records/push-event.ts';
import { versionDenial } from '../../../flows/versions/version-order.ts';
import { anyVersion } from '../../promotion/admission/lane-versions.ts';
import type { NewerVersion } from '../../store/lanes/acceptance.ts';
import type { LaneRecord } from '../../store/lanes/lane-record.ts';
import { isTag, withUnlistedAuthors } from '../../promotion/advance/unlisted-authors.ts';
import { findAuthorIds } from './find-author-ids.ts';
import { findNewer } from './find-newer.ts';
import type { MatchedLane } from './match-lanes.ts';
import { withFollowing } from './match-push.ts';

interface TakeInContext {
  readonly github: GitHubPort;
  readonly ports: Records<Admission & GateDecisions & LaneReads> &
    Queues &
    GitHubReads &
    Pick<LiveVersions, 'live'> &
    Pick<Telemetry, 'logger'>;
  /** The trace that its promotions belong to. */
  readonly trace?: string | undefined;
  /** Whether the head that was read may still be taken in: no push that was received since has moved the ref. */
  readonly isStillCurrent: () => Promise<boolean>;
}

/**
 * Attempts to accept a push into one lane while others change it: each time, one of those that try at once succeeds.
 */
const maxAttempts = 100;

/**
 * The sequence numbers of the lanes from before the head of the ref was read. A lane with the same number later has
 * accepted no other push of the ref since, so it has seen no later head. `before`: numbers that were read before
 * `head`; if one is missing, all numbers and then the head are read again. Undefined if the head has changed.
 */
export async function readSeqs(
  { event, repository, head, matched }: Omit<PushToTakeIn, 'seqs'>,
  before: ReadonlyMap<string, number> | undefined,
  { ports, github }: Pick<TakeInContext, 'ports' | 'github'>,
): Promise<readonly number[] | undefined> {
  const earlySeqs = matched.flatMap(({ lane }) => before?.get(lane.id) ?? []);
  if (earlySeqs.length === matched.length) return earlySeqs;
  const seqs = await Promise.all(matched.map(({ lane }) => ports.store.laneSeq(lane.id)));
  return (await github.head(repository.fullName, event.ref)) === head ? seqs : undefined;
}

export interface PushToTakeIn {
  readonly event: PushEvent;
  readonly repository: GitHubRepository;
  readonly head: string;
  readonly matched: readonly MatchedLane[];
  /** The sequence of each lane, as `readSeqs` has read it. */
  readonly seqs: readonly number[];
}

/**
 * Accepts a push into its lanes. Undefined if the ref has moved since its head was read; the caller must then read
 * everything again.
 */
export async function takeIn(
  push: PushToTakeIn,
  { isStillCurrent, ...context }: TakeInContext,
): Promise<Extract<IngestResult, { status: 'done' }> | undefined> {
  const { event, repository, matched, seqs } = push;
  const { store } = context.ports;
  // A lane that accepts another push until then is read again.
  const [isCurrent, records] = await Promise.all([
    isStillCurrent(),
    Promise.all(matched.map(({ lane }) => store.lane(lane.id))),
  ]);
  if (!isCurrent) return undefined;
  const authorIds = await findAuthorIds(event, repository, matched, context.github);
  const results: LaneResult[] = [];
  for (const [i, matchedLane] of matched.entries()) {
    const accepting = { ...push, authorIds, headSince: seqs[i], record: records[i] };
    const result = await acceptInto(matchedLane, accepting, context);
    if (result === 'moved') return undefined;
    results.push(result);
  }
  return summarize(results);
}

interface PushToAccept extends PushToTakeIn {
  readonly authorIds: NonNullable<PromotionTask['authorIds']>;
  readonly headSince: number | undefined;
  /** The record of the lane, read before; undefined if the lane does not exist yet. */
  readonly record: LaneRecord | undefined;
}

/** Accepts a push into one lane. Only what depends on the lane is read again if another push changes it. */
async function acceptInto(
  matchedLane: MatchedLane,
  push: PushToAccept,
  { ports, github, trace }: Omit<TakeInContext, 'isStillCurrent'>,
): Promise<LaneResult | 'moved'> {
  const { store, logger } = ports;
  const { event, head, headSince } = push;
  const { lane, version } = matchedLane;
  const denial =
    version.kind === 'named' ? versionDenial(version.name, lane.versions ?? anyVersion) : undefined;
  if (denial !== undefined) return { kind: 'version-not-allowed', text: denial };
  const promotionId = promotionIdOf(lane.id, `${event.digest} ${head}`);
  const listed = taskFor(matchedLane, push, trace);
  let full: PromotionTask | undefined;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const record = attempt === 0 ? push.record : await store.lane(lane.id);
    if (await isLiveInAllLanes(matchedLane, head, record, store)) return { kind: 'already-live' };
    const [newer, lastHead] = await Promise.all([
      findNewer(push, matchedLane, { ports, github }, record),
      store.head(lane.id, event.ref),
    ]);
    // What is only recorded, or was accepted before, needs no approval.
    const isNew = newer === undefined && lastHead !== head;
    if (isNew) full ??= await withUnlistedAuthors(listed, { store, github, logger });
    const accepted = await admit(
      {
        promotionId,
        task: (isNew ? full : undefined) ?? listed,
        order: newer === undefined ? 'differs' : 'older',
        newer,
        head: { field: event.ref, value: head },
        expectedSeq: record?.seq ?? 0,
        headSince,
      },
      ports,
    );
    if (accepted.status === 'changed') continue;
    if (accepted.status === 'moved') return 'moved';
    if (accepted.status === 'lost')
      throw new Error('Redis lost the records of the worker; the lanes must be rebuilt first');
    if (accepted.status === 'accepted')
      return newer === undefined
        ? { kind: 'accepted' }
        : { kind: 'older-version', text: olderText(lane, newer) };
    return acceptedBefore(promotionId, listed, ports);
  }
  throw new Error(`the lane ${lane.id} changed ${maxAttempts} times while a push was accepted into it`);
}

function taskFor(
  { lane, version }: MatchedLane,
  { event, repository, head, authorIds }: PushToAccept,
  trace: string | undefined,
): PromotionTask {
  const pusher = pusherOf(event, head);
  return {
    repository: { id: repository.id, fullName: repository.fullName },
    ref: event.ref,
    commit: head,
    committedAt: (headOf(event) === head ? event.committedAt : undefined) ?? event.receivedAt,
    delivery: event.delivery,
    ...(trace === undefined ? {} : { trace }),
    ...(pusher === undefined ? {} : { pusher }),
    authors: event.authors ?? [],
    authorIds,
    // The event lists only commits that are new to the repository.
    ...(isTag(event) || event.created ? { mayHaveOtherAuthors: true } : {}),
    version,
    lane,
  };
}

async function acceptedBefore(
  promotionId: string,
  { lane, ref, commit, pusher, authors, authorIds = {} }: PromotionTask,
  { store, queues }: Records<GateDecisions & LaneReads> & Queues,
): Promise<LaneResult> {
  // Perhaps by a worker that was killed before it could say so.
  const isOurs = (await store.promotion(promotionId)) !== undefined;
  // An earlier event may have brought this head in without the names of its pusher and its authors.
  const waiting = await store.learnPusher(lane.id, { ref, commit, pusher, authors, authorIds });
  if (waiting !== '') await queues.expediteAdvance(waiting);
  return { kind: isOurs ? 'accepted' : 'accepted-before' };
}

/** What became of a push in one lane. */
interface LaneResult {
  readonly kind: 'accepted' | 'older-version' | 'version-not-allowed' | 'already-live' | 'accepted-before';
  readonly text?: string;
}

const olderText = ({ name, to }: PromotionLane, newer: NewerVersion): string =>
  `the lane ${name} has accepted ${newer.name}, which is newer; only an operator can take ${to} back to an older version`;

const defaultTexts = {
  'already-live': 'its version was found live after the records were lost',
  'accepted-before': 'its lanes have accepted this commit before',
} as const;

function summarize(results: readonly LaneResult[]): Extract<IngestResult, { status: 'done' }> {
  const texts = results.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const accepted = results.filter(({ kind }) => kind === 'accepted').length;
  if (accepted > 0) {
    const text = [`accepted by ${accepted} of ${results.length} lanes`, ...texts].join('; ');
    return { status: 'done', text };
  }
  const reasons = ['older-version', 'version-not-allowed', 'already-live', 'accepted-before'] as const;
  const noPromotion =
    reasons.find((reason) => results.some(({ kind }) => kind === reason)) ?? 'accepted-before';
  const text =
    noPromotion in defaultTexts ? defaultTexts[noPromotion as keyof typeof defaultTexts] : texts.join('; ');
  return { status: 'done', text, noPromotion };
}

/**
 * Whether a commit was found live in a lane's target after the records were lost, and is live in all following
 * lanes: then only the record of its verification is lost.
 */
async function isLiveInAllLanes(
  { lane, version }: MatchedLane,
  head: string,
  record: LaneRecord | undefined,
  store: LaneReads,
): Promise<boolean> {
  const foundVersion = record?.found;
  if (foundVersion?.commit !== head || (version.kind === 'named' && version.name !== foundVersion.version))
    return false;
  const after = lane.next.flatMap(withFollowing);
  const lanes = await Promise.all(after.map(({ id }) => store.lane(id)));
  return lanes.every(
    (following) => (following?.found ?? following?.verified)?.version === foundVersion.version,
  );
}

/**
 * The person who pushed the head. An event names only the person of its own push: if another push followed,
 * that person must not count as the pusher of this one and approve their own work.
 */
function pusherOf(event: PushEvent, head: string): Pusher | undefined {
  const { sender, senderId } = event;
  return sender === '' || headOf(event) !== head ? undefined : { login: sender, id: senderId };
}

/** The commit that the event itself is about. */
const headOf = ({ after, headCommit = after }: PushEvent): string => headCommit;
