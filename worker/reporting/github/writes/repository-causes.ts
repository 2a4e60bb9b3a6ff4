import type { RefusalCause } from '../../../../lib/github/access/refusal-cause.ts';

/** Causes that concern everything about a repository, until a person has changed something. */
export const repositoryCauses: ReadonlySet<RefusalCause> = new Set([
  'suspended',
  'not-installed',
  'token',
  'key',
  'clock',
]);
