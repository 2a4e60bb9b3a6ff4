import { shorten } from '../../lib/core/text/shorten.ts';

const maxLength = 120;

/** Renders a value as JSON, so that a string and a number look different; long values are truncated. */
export function shownValue(value: string | number | boolean | null): string {
  if (value === null) return 'nothing';
  return shorten(JSON.stringify(value), maxLength);
}
