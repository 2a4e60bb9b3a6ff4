import { z } from 'zod';
import { durationSchema } from './duration.ts';

export const weekDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type WeekDay = (typeof weekDays)[number];

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day such as "18:30", in quotes' });

/** A period without promotions: whole days, hours of certain days, or hours of every day. */
const freezeSchema = z
  .strictObject({
    days: z.array(z.enum(weekDays)).min(1).optional().describe('Days of the week. Default: every day.'),
    from: timeOfDay.optional().describe('Start time. Default: the whole day.'),
    to: timeOfDay.optional().describe('End time, exclusive. A time before `from` is on the next day.'),
    zone: z.string().refine(isZone, { error: 'must be a time zone such as Europe/London' }).default('UTC'),
  })
  .refine(({ days, from, to }) => (days ?? from ?? to) !== undefined, {
    error: 'needs `days`, or `from` and `to`; without them the freeze would never end',
  })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), {
    error: 'needs `from` and `to` together',
  });

export type Freeze = z.output<typeof freezeSchema>;

/** Conditions before a lane changes its target; in worker.yaml the minimum conditions. */
export const gatesSchema = z.strictObject({
  approvals: z.int().min(0).max(20).default(0).describe('Number of people who must approve.'),
  soak: durationSchema
    .prefault('0s')
    .describe('Minimum time that the version must have been live in the source environment.'),
  freeze: z.array(freezeSchema).default([]).describe('Periods without promotions.'),
});

export type Gates = z.output<typeof gatesSchema>;

/** The stricter value of each gate: the maximum of approvals and of soak, and all freezes. */
export function strictestGates(a: Gates, b: Gates): Gates {
  return {
    approvals: Math.max(a.approvals, b.approvals),
    soak: Math.max(a.soak, b.soak),
    freeze: [...a.freeze, ...b.freeze],
  };
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
