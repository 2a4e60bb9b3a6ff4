import { createHash } from 'node:crypto';
import { fitsAny } from '../../config/effective-policy.ts';
import type { RepositoryPolicy } from '../../config/worker-schema.ts';
import type { Clock } from '../../model/ports.ts';
import type { GitHubPort } from '../github/github-port.ts';
import { namesOf } from '../ingest/plan-lanes.ts';
import type { PushEvent } from '../receiver/push-event.ts';
import type { RefChain } from './ref-chain.ts';

export interface HeadsContext {
  readonly github: Pick<GitHubPort, 'repository' | 'branches' | 'tags'>;
  readonly chain: RefChain;
  readonly clock: Clock;
  /** Takes a push in as if it had been delivered. */
  readonly accept: (push: PushEvent) => Promise<void>;
}

const none = '0'.repeat(40);

/**
 * Compares where the branches and tags of a repository stand with what was last heard of them, and takes in what is
 * new. The first time it only notes where they stand: what was there before the worker is not its to promote. Gives
 * how many were taken in.
 */
export async function sweepHeads(
  policy: Pick<RepositoryPolicy, 'id' | 'branches' | 'tags'>,
  { github, chain, clock, accept }: HeadsContext,
): Promise<number> {
  const { id, fullName } = await github.repository(policy.id);
  const tips = [
    ...(await github.branches(fullName)).map(({ name, commit }) => ({ ref: `refs/heads/${name}`, commit })),
    ...(await github.tags(fullName)).map(({ name, commit }) => ({ ref: `refs/tags/${name}`, commit })),
  ];
  // Read after the tips: a push that came in meanwhile is heard of, not missed.
  const last = await chain.last(id);
  // All of them, whatever counts today: a ref that worker.yaml lets in later is not new by that.
  if (last === undefined) await chain.begin(id, tips);
  const heardOf = last ?? (await chain.last(id));
  let taken = 0;
  for (const { ref, commit } of tips) {
    const before = heardOf?.get(ref);
    if (before === commit || !counts(ref, policy)) continue;
    const digest = createHash('sha256')
      .update(`sweep ${id} ${ref} ${before ?? ''} ${commit}`)
      .digest('hex');
    await accept({
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
      receivedAt: clock.now(),
    });
    taken += 1;
  }
  return taken;
}

function counts(ref: string, { branches, tags }: Pick<RepositoryPolicy, 'branches' | 'tags'>): boolean {
  const { branch, tag } = namesOf(ref);
  return branch === undefined ? fitsAny(tags, tag ?? '') : fitsAny(branches, branch);
}
