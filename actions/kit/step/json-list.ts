import { outputLimit } from './output-limit.ts';

/** A list for `fromJSON` in a matrix; empty if GitHub could not keep all of it, because a part would look complete. */
export function jsonList(items: readonly string[]): string {
  const text = JSON.stringify(items);
  return text.length > outputLimit ? '' : text;
}
