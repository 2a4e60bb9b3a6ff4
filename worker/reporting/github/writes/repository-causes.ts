import type { RefusalCause } from '../../../../lib/github/access/refusal-cause.ts';

/** Causes of refusals that affect everything about a repository until a person changes something. */
export const repositoryCauses: ReadonlySet<RefusalCause> = new Set([
  'suspended',
  'not-installed',
  'token',
  'key',
  'clock',
]);
