import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import { formatEventData } from '../../../records/history-event.ts';
import { timeOf } from './time-of.ts';

type Entries = Awaited<ReturnType<LaneReads['history']>>;

/** A history in the form that the API shows: oldest first, times in ISO 8601. */
export function describeHistory(entries: Entries) {
  return entries.map(({ at, what, data }) => ({ at: timeOf(at), what, data: formatEventData(data) }));
}
