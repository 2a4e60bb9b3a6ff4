import type { LaneStore } from '../lanes/lane-store.ts';

type Entries = Awaited<ReturnType<LaneStore['history']>>;

/** A history as the API shows it, oldest first: `at` in milliseconds and `time` in ISO 8601. */
export function describeHistory(entries: Entries) {
  return entries.map(({ at, what, data }) => ({ at, time: new Date(at).toISOString(), what, data }));
}
