import { z } from 'zod';

const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

const wanted = 'must be a duration such as 90s, 30m, 2h or 1h30m';

const form = /^(?=\d)(?:(\d{1,4})d)?(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?$/;

/** Parses `90s`, `30m`, `2h`, `1h30m` or `7d` to milliseconds; undefined where the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const found = form.exec(text);
  if (found === null) return undefined;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = found;
  return (
    Number(days) * units.d + Number(hours) * units.h + Number(minutes) * units.m + Number(seconds) * units.s
  );
}

/** A duration in a configuration file; the parsed value is in milliseconds. */
export const durationSchema = z
  .string({ error: wanted })
  .regex(form, { error: wanted })
  .transform((text) => parseDuration(text) ?? 0)
  .describe('A time: 90s, 30m, 2h, 1h30m, 7d.');
