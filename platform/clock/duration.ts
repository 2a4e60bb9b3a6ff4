import * as z from 'zod';

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses `50ms`, `2s`, `5m`, `2h`, `90d` or a number of milliseconds to milliseconds. */
export const duration = z
  .union([
    z.number().min(0),
    z.string().regex(/^\d{1,9}(ms|s|m|h|d)$/, 'must be a time such as 50ms, 2s, 5m, 2h or 90d'),
  ])
  .transform((value) => {
    if (typeof value === 'number') return value;
    const [, number = '', unit = 'ms'] = /^(\d+)([a-z]+)$/.exec(value) ?? [];
    return Number(number) * units[unit as keyof typeof units];
  });
