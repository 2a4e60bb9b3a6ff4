import type { RepositoryPolicy } from '../../../lib/config/worker/worker-schema.ts';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { DeletedRefs } from './deleted-refs.ts';

export interface DeletedRefsContext {
  readonly github: Pick<GitHubPort, 'repository' | 'branches' | 'tags' | 'head'>;
  readonly deletedRefs: DeletedRefs;
  readonly clock: Clock;
  /** How long a ref must be deleted, in milliseconds. */
  readonly deletedForMs: number;
}

/** Refs that one sweep removes; each costs one more request. */
const maxForgotten = 200;

/**
 * Removes the records of refs that were deleted long ago. They are kept for some time, because a tag that is
 * deleted and created again on the same commit is nothing new (promise 2), and its events may arrive late or twice.
 * Asks GitHub, because the event of a deletion may be lost or late. Returns the number of refs removed.
 */
export async function sweepDeletedRefs(
  { id }: Pick<RepositoryPolicy, 'id'>,
  { github, deletedRefs, clock, deletedForMs }: DeletedRefsContext,
): Promise<number> {
  // Read before the list: it does not contain a ref that is pushed in between.
  const remembered = await deletedRefs.remembered(id);
  const marks = await deletedRefs.since(id);
  const { fullName } = await github.repository(id);
  const there = new Set([
    ...(await github.branches(fullName)).map(({ name }) => `refs/heads/${name}`),
    ...(await github.tags(fullName)).map(({ name }) => `refs/tags/${name}`),
  ]);
  const now = clock.now();
  const missing = [...remembered].filter((ref) => !there.has(ref));
  await deletedRefs.mark(
    id,
    missing.filter((ref) => !marks.has(ref)),
    now,
  );
  await deletedRefs.unmark(
    id,
    [...marks.keys()].filter((ref) => there.has(ref) || !remembered.has(ref)),
  );
  const old = missing.flatMap((ref) => {
    const since = marks.get(ref);
    return since !== undefined && now - since >= deletedForMs ? [{ ref, since }] : [];
  });
  let forgotten = 0;
  for (const { ref, since } of old.slice(0, maxForgotten)) {
    // A truncated list must not count as a deletion.
    if ((await github.head(fullName, ref)) !== undefined) await deletedRefs.unmark(id, [ref]);
    else if (await deletedRefs.forget(id, ref, since)) forgotten += 1;
  }
  return forgotten;
}
