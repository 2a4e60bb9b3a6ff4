import { parentPort, workerData } from 'node:worker_threads';
import { parseBody } from './parse-body.ts';

/** Deeper than any field that the worker reads: `comment.user.login`. */
const maxDepth = 4;

/** Longer than any comment on GitHub may be. */
const maxTextLength = 70_000;

const maxFields = 200;

/** More than GitHub sends. */
const maxCommits = 5_000;

// Runs in the thread of parseBodyAside. The answer is pruned, because the waiting thread copies it.
const content = parseBody(workerData as Uint8Array);
// eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.postMessage(content === undefined ? undefined : { ...content, parsed: prune(content.parsed) });

/**
 * A copy of an event's parsed body without lists, deep fields and long texts. Of the lists, the worker reads only
 * the people of a push's `commits`.
 */
function prune(body: unknown): unknown {
  const kept = pruneValue(body, 0);
  const commits = typeof body === 'object' && body !== null && 'commits' in body ? body.commits : undefined;
  if (typeof kept !== 'object' || kept === null || !Array.isArray(commits)) return kept;
  return { ...kept, commits: commits.slice(0, maxCommits).map(peopleOf) };
}

function peopleOf(commit: unknown): unknown {
  if (typeof commit !== 'object' || commit === null) return {};
  const people = Object.entries(commit).filter(([name]) => name === 'author' || name === 'committer');
  return pruneValue(Object.fromEntries(people), 1);
}

function pruneValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length > maxTextLength ? undefined : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) || depth >= maxDepth) return undefined;
  const kept: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value).slice(0, maxFields)) {
    // Assigning this name would change the prototype of the copy.
    if (name !== '__proto__') kept[name] = pruneValue(part, depth + 1);
  }
  return kept;
}
