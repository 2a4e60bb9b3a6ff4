import { createHash } from 'node:crypto';
import { fitsAny } from '../../../lib/config/effective-policy.ts';
import type { RepositoryPolicy } from '../../../lib/config/worker-schema.ts';
import type { Clock } from '../../../lib/core/ports.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import { namesOf } from '../ingest/plan-lanes.ts';
import type { PushEvent } from '../../records/push-event.ts';
import { newestTags, type Tip } from './newest-tags.ts';
import type { RefChain } from '../ingest/ref-chain.ts';
import type { Era } from './sweep-state.ts';

export interface HeadsContext {
  readonly github: Pick<GitHubPort, 'repository' | 'branches' | 'tags' | 'relation' | 'parentOf'>;
  readonly chain: RefChain;
  readonly clock: Clock;
  /** Takes a push in as if it had been delivered. */
  readonly accept: (push: PushEvent) => Promise<void>;
  /** Whose records these are; whatever is known was heard of under another name before. */
  readonly era?: Era | undefined;
}

const none = '0'.repeat(40);

/**
 * Compares where the branches and tags of a repository stand with what was last heard of them, and takes in what is
 * new. The first time it only notes where they stand: what was there before the worker is not its to promote. After a
 * loss it takes in the heads of the branches and the newest tags all the same: what had been answered and was not yet
 * taken in is among them, and their lanes are on hold. Gives how many were taken in.
 */
export async function sweepHeads(
  policy: Pick<RepositoryPolicy, 'id' | 'branches' | 'tags'>,
  { github, chain, clock, accept, era }: HeadsContext,
): Promise<number> {
  const { id, fullName } = await github.repository(policy.id);
  const tips = [
    ...(await github.branches(fullName)).map(({ name, commit }) => ({ ref: `refs/heads/${name}`, commit })),
    ...(await github.tags(fullName)).map(({ name, commit }) => ({ ref: `refs/tags/${name}`, commit })),
  ];
  // Read after the tips: a push that came in meanwhile is heard of, not missed.
  const last = await chain.last(id, era?.id);
  if (last === undefined && era?.lost === true) {
    const wanted = await wantedAfterLoss(fullName, tips, policy, github);
    for (const tip of wanted) {
      const before = await github.parentOf(fullName, tip.commit);
      await accept(foundPush({ id, fullName, ...tip, before, era: era.id, now: clock.now() }));
    }
    await chain.recordTips(id, tips, era.id);
    return wanted.length;
  }
  // All of them, whatever counts today: a ref that worker.yaml lets in later is not new by that.
  if (last === undefined) await chain.recordTips(id, tips, era?.id);
  const heardOf = last ?? (await chain.last(id, era?.id));
  let taken = 0;
  for (const { ref, commit } of tips) {
    const before = heardOf?.get(ref);
    if (before === commit || !counts(ref, policy)) continue;
    await accept(foundPush({ id, fullName, ref, commit, before, now: clock.now() }));
    taken += 1;
  }
  return taken;
}

/** The heads of what counts, and of the tags the newest: an old one is live, or was passed by. */
async function wantedAfterLoss(
  fullName: string,
  tips: readonly Tip[],
  policy: Pick<RepositoryPolicy, 'branches' | 'tags'>,
  github: HeadsContext['github'],
): Promise<readonly Tip[]> {
  const { branches = [], tags = [] } = Object.groupBy(
    tips.filter(({ ref }) => counts(ref, policy)),
    ({ ref }) => (namesOf(ref).branch === undefined ? 'tags' : 'branches'),
  );
  return [...branches, ...(await newestTags(fullName, { tags, branches }, github))];
}

/** A push that nobody told us of. */
function foundPush({ id, fullName, ref, commit, before, era, now }: Found): PushEvent {
  const digest = createHash('sha256')
    .update(`sweep ${id} ${ref} ${before ?? ''} ${commit} ${era ?? ''}`)
    .digest('hex');
  return {
    repositoryId: id,
    repositoryName: fullName,
    ref,
    before: before ?? none,
    after: commit,
    created: before === undefined,
    deleted: false,
    forced: false,
    sender: '',
    senderId: 0,
    delivery: `sweep-${digest.slice(0, 16)}`,
    digest,
    receivedAt: now,
  };
}

interface Found extends Tip {
  readonly id: number;
  readonly fullName: string;
  readonly before: string | undefined;
  /** Of a loss: what was found before it may be found again. */
  readonly era?: string;
  readonly now: number;
}

function counts(ref: string, { branches, tags }: Pick<RepositoryPolicy, 'branches' | 'tags'>): boolean {
  const { branch, tag } = namesOf(ref);
  return branch === undefined ? fitsAny(tags, tag ?? '') : fitsAny(branches, branch);
}
