import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { GitHubRepository } from '../../../lib/github/repositories.ts';
import { admit, promotionIdOf } from '../../promotion/admit.ts';
import type { Engine } from '../../promotion/engine.ts';
import type { IngestResult } from '../../records/ingest-result.ts';
import type { LanePlan, PromotionPlan, Pusher } from '../../records/plan.ts';
import type { PushEvent } from '../../records/push-event.ts';
import { versionDenial } from '../../../flows/versions/version-order.ts';
import { anyVersion } from '../../promotion/lane-versions.ts';
import type { NewerVersion } from '../../store/acceptance.ts';
import { isTag, withUnlistedAuthors } from '../../promotion/unlisted-authors.ts';
import { findAuthorIds } from './find-author-ids.ts';
import { findNewer } from './find-newer.ts';
import type { PlannedLane } from './plan-lanes.ts';
import { withFollowing } from './plan-push.ts';

interface TakeInContext {
  readonly github: GitHubPort;
  readonly engine: Engine;
  /** The trace that its promotions belong to. */
  readonly trace?: string | undefined;
  /** Whether the head that was read may still be taken in: no push that was received since has moved the ref. */
  readonly isStillCurrent: () => Promise<boolean>;
}

/**
 * Accepts a push into its lanes. Undefined if the ref or a lane changed since it was read: then the caller reads
 * everything again.
 */
export async function takeIn(
  event: PushEvent,
  repository: GitHubRepository,
  head: string,
  planned: readonly PlannedLane[],
  { engine, github, trace, isStillCurrent }: TakeInContext,
): Promise<Extract<IngestResult, { status: 'done' }> | undefined> {
  const { store } = engine;
  const seqs = await Promise.all(planned.map(({ lane }) => store.laneSeq(lane.id)));
  // Read after the sequences: a lane that has not changed until it accepts has seen no later head than this
  // one.
  if ((await github.head(repository.fullName, event.ref)) !== head) return undefined;
  if (!(await isStillCurrent())) return undefined;
  const pusher = pusherOf(event, head);
  const authorIds = await findAuthorIds(event, repository, planned, github);
  const pushed = { event, repository, head };
  const results: LaneResult[] = [];
  for (const [i, one] of planned.entries()) {
    const { lane, version } = one;
    const denial =
      version.kind === 'named' ? versionDenial(version.name, lane.versions ?? anyVersion) : undefined;
    if (denial !== undefined || (await isLiveInAllLanes(one, head, store))) {
      results.push(
        denial === undefined ? { kind: 'already-live' } : { kind: 'version-not-allowed', text: denial },
      );
      continue;
    }
    const newer = await findNewer(pushed, one, { engine, github });
    const promotionId = promotionIdOf(lane.id, `${event.digest} ${head}`);
    const plan: PromotionPlan = {
      repository: { id: repository.id, fullName: repository.fullName },
      ref: event.ref,
      commit: head,
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
    // What is only recorded, or was accepted before, needs no approval.
    const isNew = newer === undefined && (await store.head(lane.id, event.ref)) !== head;
    const accepted = await admit(
      {
        promotionId,
        plan: isNew ? await withUnlistedAuthors(plan, { store, github, logger: engine.logger }) : plan,
        order: newer === undefined ? 'differs' : 'older',
        newer,
        head: { field: event.ref, value: head },
        expectedSeq: seqs[i],
      },
      engine,
    );
    if (accepted.status === 'changed') return undefined;
    if (accepted.status === 'lost')
      throw new Error('Redis lost the records of the worker; the lanes must be rebuilt first');
    if (accepted.status === 'accepted') {
      results.push(
        newer === undefined ? { kind: 'accepted' } : { kind: 'older-version', text: olderText(lane, newer) },
      );
      continue;
    }
    // Perhaps by a worker that was killed before it could say so.
    const isOurs = (await store.promotion(promotionId)) !== undefined;
    results.push({ kind: isOurs ? 'accepted' : 'accepted-before' });
    // An earlier event may have brought this head in without the names of its pusher and its authors.
    const { ref, authors } = event;
    const waiting = await store.learnPusher(lane.id, { ref, commit: head, pusher, authors, authorIds });
    if (waiting !== '') await engine.queues.expediteAdvance(waiting);
  }
  return summarize(results);
}

/** What became of a push in one lane. */
interface LaneResult {
  readonly kind: 'accepted' | 'older-version' | 'version-not-allowed' | 'already-live' | 'accepted-before';
  readonly text?: string;
}

const olderText = ({ name, to }: LanePlan, newer: NewerVersion): string =>
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
  const noPromotion = reasons.find((one) => results.some(({ kind }) => kind === one)) ?? 'accepted-before';
  const text =
    noPromotion in defaultTexts ? defaultTexts[noPromotion as keyof typeof defaultTexts] : texts.join('; ');
  return { status: 'done', text, noPromotion };
}

/**
 * Whether a commit was found live in a lane's target after the records were lost, and is live in all following
 * lanes: then only the record of its verification is lost.
 */
async function isLiveInAllLanes(
  { lane, version }: PlannedLane,
  head: string,
  store: Engine['store'],
): Promise<boolean> {
  const found = (await store.lane(lane.id))?.found;
  if (found?.commit !== head || (version.kind === 'named' && version.name !== found.version)) return false;
  const after = lane.next.flatMap(withFollowing);
  const lanes = await Promise.all(after.map(({ id }) => store.lane(id)));
  return lanes.every((one) => (one?.found ?? one?.verified)?.version === found.version);
}

/**
 * The person who pushed the head. An event names only the person of its own push: if another push followed,
 * that person must not count as the pusher of this one and approve their own work.
 */
function pusherOf(
  { sender, senderId, after, headCommit = after }: PushEvent,
  head: string,
): Pusher | undefined {
  return sender === '' || headCommit !== head ? undefined : { login: sender, id: senderId };
}
