/** Converts milliseconds since the epoch to ISO 8601; null if there is no time. */
export function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
