import type { RepositoryPolicy } from '../../../lib/config/worker-schema.ts';
import type { Clock } from '../../../lib/core/ports.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { DeletedRefs } from './deleted-refs.ts';

export interface DeletedRefsContext {
  readonly github: Pick<GitHubPort, 'repository' | 'branches' | 'tags' | 'head'>;
  readonly deletedRefs: DeletedRefs;
  readonly clock: Clock;
  /** How long a ref must have been gone, in milliseconds. */
  readonly deletedForMs: number;
}

/** Refs that one sweep forgets; each is asked for once more. */
const maxForgotten = 200;

/**
 * Forgets what is known of refs that were deleted long ago. Not at once: a tag that is deleted and made again on the
 * same commit is nothing new (promise 2), and events of it may come late or again. GitHub is asked, and no event
 * believed: one of a deletion may be lost, or come after the ref was made anew. Gives how many were forgotten.
 */
export async function sweepDeletedRefs(
  { id }: Pick<RepositoryPolicy, 'id'>,
  { github, deletedRefs, clock, deletedForMs }: DeletedRefsContext,
): Promise<number> {
  // Before the list: a ref that is pushed meanwhile is not among them.
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
    // A list that was cut short must not pass for a deletion.
    if ((await github.head(fullName, ref)) !== undefined) await deletedRefs.unmark(id, [ref]);
    else if (await deletedRefs.forget(id, ref, since)) forgotten += 1;
  }
  return forgotten;
}
