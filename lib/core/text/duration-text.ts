const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** A duration for people, with its two largest units: `2 min 10 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${String(Math.round(ms))} ms`;
  const seconds = Math.round(ms / 1_000) * 1_000;
  const first = units.findIndex(([, size]) => seconds >= size);
  let rest = seconds;
  const parts = units.slice(first, first + 2).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${String(count)} ${unit}`];
  });
  return parts.join(' ');
}

/** A duration for people, rounded to one unit: `90 s`, `5 min`, `3 h`. */
export function roundedDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${String(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${String(minutes)} min` : `${String(Math.round(minutes / 60))} h`;
}
