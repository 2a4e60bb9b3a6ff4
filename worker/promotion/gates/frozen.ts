import type { Gates } from '../../records/configured.ts';

type Times = Pick<Gates, 'freeze' | 'windows'>;
type Period = Gates['freeze'][number];

const minute = 60_000;

/** Freezes and windows repeat every week, so a freeze that lasts 8 days never ends. */
const maxFreezeMs = 8 * 86_400_000;

/** Whether nothing may be promoted at a moment, because of a freeze or because the moment is outside of the windows. */
export function isFrozen({ freeze, windows }: Times, now: number): boolean {
  return (
    freeze.some((period) => covers(period, now)) ||
    windows.some((allowed) => !allowed.some((period) => covers(period, now)))
  );
}

/** The first full minute at which promotions are possible again; undefined if there is none within 8 days. */
export function frozenUntil(times: Times, now: number): number | undefined {
  const start = Math.ceil(now / minute) * minute;
  // Search in steps: this handles changes of daylight saving time without a special rule. A window may be short.
  const step = times.windows.length === 0 ? 15 * minute : minute;
  for (let time = start; time < start + maxFreezeMs; time += step) {
    if (isFrozen(times, time)) continue;
    let first = time;
    while (first - minute >= start && !isFrozen(times, first - minute)) first -= minute;
    return first;
  }
  return undefined;
}

function covers({ days, from, to, zone }: Period, now: number): boolean {
  const today = wallClock(now, zone);
  const onDay = (day: string): boolean => days === undefined || days.some((listed) => listed === day);
  if (from === undefined || to === undefined) return onDay(today.day);
  if (from < to) return onDay(today.day) && today.time >= from && today.time < to;
  // Over midnight: the morning belongs to the day before.
  if (today.time >= from) return onDay(today.day);
  return today.time < to && onDay(dayBefore[today.day] ?? '');
}

/** Not 24 hours ago: on a day of 25 hours, that may be the same day. */
const dayBefore: Readonly<Record<string, string>> = {
  mon: 'sun',
  tue: 'mon',
  wed: 'tue',
  thu: 'wed',
  fri: 'thu',
  sat: 'fri',
  sun: 'sat',
};

/** Created once for each zone, because creating one is the most expensive part. */
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Day of the week and time of day as the clocks in a zone show them. */
function wallClock(now: number, zone: string): { readonly day: string; readonly time: string } {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    clocks.set(zone, clock);
  }
  const parts = clock.formatToParts(now);
  const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? '';
  return { day: part('weekday').toLowerCase(), time: `${part('hour')}:${part('minute')}` };
}
