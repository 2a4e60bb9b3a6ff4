import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { GitHubRepository } from '../../../lib/github/repositories.ts';
import { admit, promotionIdOf } from '../../promotion/admit.ts';
import type { Engine } from '../../promotion/engine.ts';
import type { IngestResult } from '../../records/ingest-result.ts';
import type { LanePlan, Pusher } from '../../records/plan.ts';
import type { PushEvent } from '../../records/push-event.ts';
import type { PlannedLane } from './plan-lanes.ts';
import { withFollowing } from './plan-push.ts';

interface TakeInContext {
  readonly github: GitHubPort;
  readonly engine: Engine;
  /** The trace that its promotions belong to. */
  readonly trace?: string | undefined;
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
  { engine, github, trace }: TakeInContext,
): Promise<Extract<IngestResult, { status: 'done' }> | undefined> {
  const { store } = engine;
  const seqs = await Promise.all(planned.map(({ lane }) => store.laneSeq(lane.id)));
  // Read after the sequences: a lane that has not changed until it accepts has seen no later head than this
  // one.
  if ((await github.head(repository.fullName, event.ref)) !== head) return undefined;
  const pusher = pusherOf(event, head);
  let made = 0;
  let live = 0;
  for (const [i, { lane, version }] of planned.entries()) {
    if (await isLiveInAllLanes(lane, head, store)) {
      live += 1;
      continue;
    }
    const older = await isOlder(event, repository, head, lane, { engine, github });
    const promotionId = promotionIdOf(lane.id, `${event.digest} ${head}`);
    const accepted = await admit(
      {
        promotionId,
        plan: {
          repository: { id: repository.id, fullName: repository.fullName },
          ref: event.ref,
          commit: head,
          delivery: event.delivery,
          ...(trace === undefined ? {} : { trace }),
          ...(pusher === undefined ? {} : { pusher }),
          authors: event.authors ?? [],
          version,
          lane,
        },
        order: older ? 'older' : 'differs',
        head: { field: event.ref, value: head },
        expectedSeq: seqs[i],
      },
      engine,
    );
    if (accepted.status === 'changed') return undefined;
    if (accepted.status === 'lost') throw new Error('the records were lost; the lanes must be rebuilt first');
    // Or a worker that was killed before it could say so.
    if (accepted.status === 'accepted' || (await store.promotion(promotionId)) !== undefined) made += 1;
    // An earlier event may have brought this head in without the name of its pusher.
    else if (pusher !== undefined) await store.learnPusher(lane.id, { ref: event.ref, commit: head, pusher });
  }
  if (made > 0) return { status: 'done', text: `accepted by ${made} of ${planned.length} lanes` };
  if (live > 0) {
    const text = 'its version was found live after the records were lost';
    return { status: 'done', text, noPromotion: 'already-live' };
  }
  const text = 'its lanes have accepted this head before';
  return { status: 'done', text, noPromotion: 'accepted-before' };
}

/**
 * Whether a commit was found live in a lane's target after the records were lost, and is live in all following
 * lanes: then only the record of its verification is lost.
 */
async function isLiveInAllLanes(lane: LanePlan, head: string, store: Engine['store']): Promise<boolean> {
  const found = (await store.lane(lane.id))?.found;
  if (found?.commit !== head) return false;
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

/**
 * Whether a tag that is new to the lane is older in the history than the last commit that the lane accepted:
 * its push arrived late. Promoting it would take the target back, whatever the policy; an operator can still
 * retry it. A tag that was moved back on purpose counts.
 */
async function isOlder(
  event: PushEvent,
  { fullName }: GitHubRepository,
  head: string,
  lane: PlannedLane['lane'],
  { engine, github }: TakeInContext,
): Promise<boolean> {
  if (!event.ref.startsWith('refs/tags/')) return false;
  if ((await engine.store.head(lane.id, event.ref)) !== undefined) return false;
  const last = (await engine.store.lane(lane.id))?.lastCommit;
  if (last === undefined || last === head) return false;
  return (await github.relation(fullName, last, head)) === 'behind';
}
