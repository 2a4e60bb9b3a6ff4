import type { CallFacts } from './errors.ts';

/**
 * Version, tag and request id of a call, which identify it on the platform, in parentheses; empty if it has none of
 * them.
 */
export function callTrace({ versionName, executionTag, requestId }: CallFacts): string {
  const parts = [
    versionName === undefined ? undefined : `version “${versionName}”`,
    executionTag === undefined ? undefined : `tag “${executionTag}”`,
    requestId === undefined ? undefined : `request ${requestId}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
