/** Which commits are known to be ancestors of others. That never changes, because a commit's id depends on its parents. */
export interface Ancestry {
  /** Notes that a commit is an ancestor of another one. */
  note(fullName: string, ancestor: string, commit: string): void;
  /** Whether a commit is an ancestor of another one, by what was noted; false if that is not known. */
  isAncestor(fullName: string, ancestor: string, commit: string): boolean;
}

/** Remembers the ancestors of at most `max` commits. */
export function createAncestry(max = 5_000): Ancestry {
  const ancestorsOf = new Map<string, Set<string>>();
  const keyOf = (fullName: string, commit: string): string => `${fullName} ${commit}`;
  return {
    note(fullName, ancestor, commit) {
      const key = keyOf(fullName, commit);
      const ancestors = ancestorsOf.get(key) ?? new Set();
      ancestorsOf.set(key, ancestors.add(ancestor));
      const [oldest] = ancestorsOf.keys();
      if (ancestorsOf.size > max && oldest !== undefined) ancestorsOf.delete(oldest);
    },
    isAncestor(fullName, ancestor, commit) {
      const reached = new Set([commit]);
      // The loop also visits what is added to the set during it.
      for (const place of reached) {
        for (const earlier of ancestorsOf.get(keyOf(fullName, place)) ?? []) {
          if (earlier === ancestor) return true;
          reached.add(earlier);
        }
      }
      return false;
    },
  };
}
