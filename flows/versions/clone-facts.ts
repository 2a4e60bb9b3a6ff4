import type { Repository } from '../../lib/git/repository.ts';
import type { CommitFacts } from './newer-version.ts';

/**
 * Reads facts about commits and tags from a clone. Throws Failure 'git-failed' if it lacks a commit, or the
 * history.
 */
export function cloneFacts(
  repository: Pick<Repository, 'isAncestor' | 'log' | 'taggedAt'>,
  signal: AbortSignal,
): CommitFacts {
  const isAncestor = (ancestor: string, descendant: string) =>
    repository.isAncestor(ancestor, descendant, { signal });
  return {
    async relation(base, head) {
      if (base === head) return 'identical';
      // A shallow clone may prove that one is the ancestor, but never that it is not.
      const newer = await isAncestor(base, head).catch((error: unknown) => ({ error }));
      if (newer === true) return 'ahead';
      if (await isAncestor(head, base)) return 'behind';
      if (newer !== false) throw newer.error;
      return 'diverged';
    },
    async committedAt(commit) {
      const [entry] = await repository.log(commit, { signal, limit: 1 });
      return entry === undefined ? undefined : Date.parse(entry.committedAt);
    },
    taggedAt: (ref) => repository.taggedAt(ref, { signal }),
  };
}
