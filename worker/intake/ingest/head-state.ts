import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { GitHubRepository } from '../../../lib/github/endpoints/repositories.ts';
import { isFoundBySweep, isNoCommit, type PushEvent } from '../../records/push-event.ts';
import type { IngestOrder } from './ingest-order.ts';
import type { RefChain } from './ref-chain.ts';

/**
 * Whether the commit that GitHub shows at a pushed ref can be trusted. `left`: a push that was received has moved
 * the ref to another commit, so GitHub's replica lags. `doubtful`: either the ref has returned to this commit or a
 * replica lags; only waiting can decide it.
 */
export type HeadState = 'current' | 'left' | 'doubtful';

interface HeadContext {
  readonly github: Pick<GitHubPort, 'relation'>;
  readonly order: Pick<IngestOrder, 'departedAt' | 'departedFrom' | 'endsFrom'>;
  readonly chain: Pick<RefChain, 'lastOf'>;
}

/**
 * Compares the commit that GitHub shows (the pushed commit or a descendant) with the known pushes of its ref. Call
 * it after the sequences of the lanes were read: otherwise a push that is accepted in between is overlooked.
 */
export async function headState(
  head: string,
  event: PushEvent,
  { fullName }: Pick<GitHubRepository, 'fullName'>,
  { github, order, chain }: HeadContext,
): Promise<HeadState> {
  const { after, headCommit: pushed = after, before, repositoryId, ref } = event;
  // A sweep does not know the id of an annotated tag.
  const isItsOwn = head === pushed && !isFoundBySweep(event);
  const departedAt = isItsOwn ? await order.departedAt(event) : await order.departedFrom(head, event);
  // The push that took the ref back to it, if there was one, is accepted by itself.
  if (departedAt !== undefined && head !== pushed) return 'left';
  if (isFoundBySweep(event)) {
    // The sweep read GitHub, not a delivery: what looked like a push back may be a replica that lags.
    if (departedAt !== undefined) return departedAt >= event.receivedAt ? 'left' : 'doubtful';
    if (isNoCommit(before)) return 'current';
    const relation = await github.relation(fullName, before, head);
    return relation === 'ahead' || relation === 'identical' ? 'current' : 'doubtful';
  }
  if (departedAt === undefined) return 'current';
  const ends = await order.endsFrom(head, event);
  if (ends.size === 1 && ends.has(head)) return 'current';
  // Unless a push is missing, a push that was received later moved the ref away for good.
  if (departedAt >= event.receivedAt) return ends.size === 0 ? 'doubtful' : 'left';
  // The ref left the commit before this push was received: it came back, or the two deliveries changed places.
  const last = await chain.lastOf(repositoryId, ref);
  if (last === undefined || last === before || last === after) return 'current';
  return (await order.departedFrom(last, event)) === undefined ? 'doubtful' : 'current';
}
