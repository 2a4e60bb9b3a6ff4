/** What is the time now, in SQL. */
const now =
  /\b(?:current_date|current_timestamp|current_time|getdate|sysdate|systimestamp|localtimestamp|now)\b/i;

/** Milliseconds of a unit of time, by the beginning of its name. */
const units: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
  year: 365 * 86_400_000,
};

/** In characters: `DATEDIFF(hour, MAX("loaded_at"), CURRENT_TIMESTAMP()) > 24`. */
const distance = 80;

/** More distances of one text are not tried. */
const maxDistances = 12;

/**
 * Times at the distances from now that a text names, before and after a start: `30` beside `day` is the time 30 days before, half a day
 * before that, and the same after it.
 *
 * @param startsAt in milliseconds since the epoch
 */
export function timesIn(
  text: string,
  startsAt: number,
): readonly { readonly at: number; readonly value: string }[] {
  if (!now.test(text)) return [];
  const found = [...text.matchAll(/\b(second|minute|hour|day|week|month|year)s?\b/gi)].flatMap(
    ({ index, 1: name = '' }) => {
      const from = Math.max(0, index - distance);
      const part = text.slice(from, index + name.length + distance);
      const unit = units[name.toLowerCase()] ?? 0;
      return [...part.matchAll(/(?<![\w."])-?(\d{1,4})(?![\w."])/g)].map((match) => ({
        at: from + match.index,
        ms: Number(match[1]) * unit,
        unit,
      }));
    },
  );
  const distinct = new Map(found.map((each) => [`${each.at} ${each.ms}`, each]));
  return [
    ...[...text.matchAll(new RegExp(now, 'gi'))].map(({ index }) => ({
      at: index,
      value: timeText(startsAt),
    })),
    ...[...distinct.values()]
      .slice(0, maxDistances)
      .flatMap(({ at, ms, unit }) =>
        [-ms, -ms - unit / 2, ms, ms + unit / 2].map((shift) => ({ at, value: timeText(startsAt + shift) })),
      ),
  ];
}

function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
