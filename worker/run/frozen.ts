import type { Gates } from './configured.ts';

type Freeze = Gates['freeze'][number];

/** Whether a moment lies in one of the times in which nothing is promoted. */
export function isFrozen(freezes: readonly Freeze[], now: number): boolean {
  return freezes.some((freeze) => covers(freeze, now));
}

function covers({ days, from, to, zone }: Freeze, now: number): boolean {
  const today = wallClock(now, zone);
  const onDay = (day: string): boolean => days === undefined || days.some((one) => one === day);
  if (from === undefined || to === undefined) return onDay(today.day);
  if (from < to) return onDay(today.day) && today.time >= from && today.time < to;
  // Over midnight: the morning belongs to the day before.
  if (today.time >= from) return onDay(today.day);
  return today.time < to && onDay(wallClock(now - 86_400_000, zone).day);
}

/** Day of the week and time of day as the clocks in a zone show them. */
function wallClock(now: number, zone: string): { readonly day: string; readonly time: string } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return { day: part('weekday').toLowerCase(), time: `${part('hour')}:${part('minute')}` };
}
