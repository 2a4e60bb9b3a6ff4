const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

/** The form of a duration, for schemas. */
export const durationForm = /^(?=\d)(?:(\d{1,4})d)?(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?$/;

/** Parses `90s`, `30m`, `2h`, `1h30m` or `7d` to milliseconds; undefined if the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const match = durationForm.exec(text);
  if (match === null) return undefined;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = match;
  return (
    Number(days) * units.d + Number(hours) * units.h + Number(minutes) * units.m + Number(seconds) * units.s
  );
}
