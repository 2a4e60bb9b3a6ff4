import { outputLimit } from './output-limit.ts';

/**
 * A list as JSON for `fromJSON` in a matrix. Empty if it is too long for GitHub, because a cut list would look
 * complete.
 */
export function jsonList(items: readonly string[]): string {
  const text = JSON.stringify(items);
  return text.length > outputLimit ? '' : text;
}
