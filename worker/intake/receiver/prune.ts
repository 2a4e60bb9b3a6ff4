/** Deeper than any field that the worker reads: `comment.user.login`. */
const maxDepth = 4;

/** Longer than any comment on GitHub may be. */
const maxTextLength = 70_000;

const maxFields = 200;

/**
 * A copy of parsed JSON without lists, deep fields and long texts. No field of an event that the worker reads
 * is in a list.
 */
export function prune(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.length > maxTextLength ? undefined : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) || depth >= maxDepth) return undefined;
  const kept: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value).slice(0, maxFields)) {
    // Assigning this name would change the prototype of the copy.
    if (name !== '__proto__') kept[name] = prune(part, depth + 1);
  }
  return kept;
}
