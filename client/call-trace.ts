import type { CallFacts } from './errors.ts';

/** What a person finds a call by on the platform: the version, the tag and the request; '' where it bore none of them. */
export function callTrace({ versionName, executionTag, requestId }: CallFacts): string {
  const parts = [
    versionName === undefined ? undefined : `version “${versionName}”`,
    executionTag === undefined ? undefined : `tag “${executionTag}”`,
    requestId === undefined ? undefined : `request ${requestId}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
