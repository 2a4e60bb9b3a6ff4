import * as z from 'zod';
import { describeEvent, describeFact } from '../../worker/records/history-event.ts';
import type { WatchedRow } from './watch-rows.ts';

/** One event of a history, as the worker's API returns it. */
export const historyEntry = z.looseObject({ at: z.string(), what: z.string(), data: z.string() });

type HistoryEntry = z.output<typeof historyEntry>;

/** Converts a history to rows for `watchRows`: each new event is a new row. */
export function eventRows(entries: readonly HistoryEntry[]): WatchedRow[] {
  return entries.map((entry) => {
    const { at, what, data } = entry;
    return {
      id: `${at} ${what} ${data}`,
      at,
      cells: [describeEvent(what), describeData(data)],
      value: entry,
    };
  });
}

/** A history for the terminal, one line per event: time, event, data. */
export function timelineLines(entries: readonly HistoryEntry[]): string[] {
  const events = entries.map(({ what }) => describeEvent(what));
  const width = Math.max(0, ...events.map((event) => event.length));
  return entries.map(({ at, data }, i) =>
    `  ${at}  ${(events[i] ?? '').padEnd(width)}  ${describeData(data)}`.trimEnd(),
  );
}

/** `{"version":"v1","by":"ada"}` as `version v1, by ada`; other text unchanged. */
export function describeData(data: string): string {
  if (!/^[{["]/.test(data)) return data;
  const value = parse(data);
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return data;
  return Object.entries(value)
    .filter(([, field]) => field !== null && field !== '')
    .map(
      ([name, field]: [string, unknown]) =>
        `${describeFact(name)} ${typeof field === 'string' ? field : JSON.stringify(field)}`,
    )
    .join(', ');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
