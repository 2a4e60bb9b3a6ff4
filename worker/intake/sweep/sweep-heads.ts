import { createHash } from 'node:crypto';
import { sortNames } from '../../../flows/versions/version-order.ts';
import { fitsAny } from '../../../lib/config/worker/effective-policy.ts';
import type { RepositoryPolicy } from '../../../lib/config/worker/worker-schema.ts';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { RepositoryState } from '../../../lib/github/endpoints/repository-states.ts';
import { namesOf } from '../ingest/match-lanes.ts';
import { type PushEvent, sweepPrefix } from '../../records/push-event.ts';
import { type Head, headCommitOf, newestTags, type RefTip } from './newest-tags.ts';
import type { RefChain } from '../ingest/ref-chain.ts';
import type { RecordsIdentity } from './sweep-state.ts';

export interface HeadsContext {
  readonly github: Pick<GitHubPort, 'repository' | 'branches' | 'tags' | 'head' | 'relation' | 'parentOf'>;
  readonly chain: RefChain;
  readonly clock: Clock;
  /** Ingests a push as if it had been delivered. */
  readonly accept: (push: PushEvent) => Promise<void>;
  /** The identity of the records; everything known before a loss was recorded under another identity. */
  readonly records?: RecordsIdentity | undefined;
  /** What GitHub has just shown of the repository; without all its refs they are listed. */
  readonly current?: RepositoryState | undefined;
}

const none = '0'.repeat(40);

/**
 * Compares the branches and tags of a repository with their last known commits, and ingests what is new. The first
 * sweep only records them: the worker does not promote pushes from before its start. After a loss of records, it
 * ingests the heads of the branches and the newest tags, because pushes that were answered but not ingested are
 * among them; their lanes are on hold. Returns the number of pushes ingested.
 */
export async function sweepHeads(
  policy: Pick<RepositoryPolicy, 'id' | 'branches' | 'tags'>,
  { github, chain, clock, accept, records, current }: HeadsContext,
): Promise<number> {
  const { id, fullName } = current ?? (await github.repository(policy.id));
  const tips = current?.refs ?? (await listTips(fullName, github));
  // Read after the tips: a push that arrived in between is known, not missed.
  const last = await chain.last(id, records?.id);
  if (last === undefined && records?.lost === true) {
    const heads = (await wantedAfterLoss(fullName, tips, policy, github)).toSorted((a, b) =>
      sortNames(a.ref, b.ref),
    );
    for (const tip of heads) {
      const before = await github.parentOf(fullName, tip.headCommit);
      await accept(foundPush({ id, fullName, ...tip, before, recordsId: records.id, now: clock.now() }));
    }
    await chain.recordTips(id, tips, records.id);
    return heads.length;
  }
  // Record all refs, whatever the policy allows today: a ref that worker.yaml allows later is not new because
  // of that.
  if (last === undefined) await chain.recordTips(id, tips, records?.id);
  const heardOf = last ?? (await chain.last(id, records?.id));
  let taken = 0;
  // The oldest version first: a lane may promote each, and takes none that is older than one it has.
  for (const tip of tips.toSorted((a, b) => sortNames(a.ref, b.ref))) {
    const { ref, commit } = tip;
    const end = heardOf?.get(ref);
    if (end?.commit === commit || !counts(ref, policy)) continue;
    // A replica may lag: then the push waits for its ref, like a delivered one.
    const headCommit = (await headCommitOf(fullName, tip, github)) ?? commit;
    const { commit: before, changes } = end ?? {};
    await accept(foundPush({ id, fullName, ref, commit, headCommit, before, changes, now: clock.now() }));
    taken += 1;
  }
  return taken;
}

async function listTips(fullName: string, github: HeadsContext['github']): Promise<readonly RefTip[]> {
  return [
    ...(await github.branches(fullName)).map(({ name, commit }) => ({ ref: `refs/heads/${name}`, commit })),
    ...(await github.tags(fullName)).map(({ name, commit }) => ({ ref: `refs/tags/${name}`, commit })),
  ];
}

/**
 * Whether an allowed branch or tag of a repository is at another commit than in the records. Undefined if the state
 * of the repository does not contain all branches and tags.
 */
export async function showsNews(
  { refs, id }: RepositoryState,
  policy: Pick<RepositoryPolicy, 'branches' | 'tags'>,
  { chain, records }: Pick<HeadsContext, 'chain' | 'records'>,
): Promise<boolean | undefined> {
  if (refs === undefined) return undefined;
  const last = await chain.last(id, records?.id);
  return refs.some(({ ref, commit }) => last?.get(ref)?.commit !== commit && counts(ref, policy));
}

/**
 * The heads of the allowed branches and the newest of the allowed tags: an older tag is live or was superseded.
 */
async function wantedAfterLoss(
  fullName: string,
  tips: readonly RefTip[],
  policy: Pick<RepositoryPolicy, 'branches' | 'tags'>,
  github: HeadsContext['github'],
): Promise<readonly Head[]> {
  const { branches = [], tags = [] } = Object.groupBy(
    tips.filter(({ ref }) => counts(ref, policy)),
    ({ ref }) => (namesOf(ref).branch === undefined ? 'tags' : 'branches'),
  );
  const heads = branches.map((branch) => ({ ...branch, headCommit: branch.commit }));
  return [...heads, ...(await newestTags(fullName, { tags, branches: heads }, github))];
}

/** A push without a delivery. While it is not in the chain of its ref, each sweep that finds it gives it the same digest. */
function foundPush({
  id,
  fullName,
  ref,
  commit,
  headCommit,
  before,
  changes = 0,
  recordsId,
  now,
}: Found): PushEvent {
  const digest = createHash('sha256')
    .update(`sweep ${id} ${ref} ${before ?? ''} ${commit} ${recordsId ?? ''} ${changes}`)
    .digest('hex');
  return {
    repositoryId: id,
    repositoryName: fullName,
    ref,
    before: before ?? none,
    after: commit,
    headCommit,
    created: before === undefined,
    deleted: false,
    forced: false,
    sender: '',
    senderId: 0,
    delivery: `${sweepPrefix}${digest.slice(0, 16)}`,
    digest,
    receivedAt: now,
  };
}

interface Found extends Head {
  readonly id: number;
  readonly fullName: string;
  readonly before: string | undefined;
  /** The number of changes in the chain of its ref: the ref may have moved from there to the commit once before. */
  readonly changes?: number | undefined;
  /** The identity of the records after a loss: a push that was found before the loss may be found again. */
  readonly recordsId?: string;
  readonly now: number;
}

function counts(ref: string, { branches, tags }: Pick<RepositoryPolicy, 'branches' | 'tags'>): boolean {
  const { branch, tag } = namesOf(ref);
  return branch === undefined ? fitsAny(tags, tag ?? '') : fitsAny(branches, branch);
}
