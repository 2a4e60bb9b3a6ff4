import { z } from 'zod';
import { durationSchema } from './duration.ts';

export const weekDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type WeekDay = (typeof weekDays)[number];

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day such as "18:30", in quotes' });

/** A time in which nothing is promoted: whole days, hours of these days, or hours of every day. */
const freezeSchema = z
  .strictObject({
    days: z.array(z.enum(weekDays)).min(1).optional().describe('Days of the week; every day without it.'),
    from: timeOfDay.optional().describe('Start; the whole day without it.'),
    to: timeOfDay.optional().describe('End, not included; before `from` it is on the next day.'),
    zone: z.string().refine(isZone, { error: 'must be a time zone such as Europe/London' }).default('UTC'),
  })
  .refine(({ days, from, to }) => (days ?? from ?? to) !== undefined, {
    error: 'needs `days`, or `from` and `to`: without them everything would be frozen for ever',
  })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), {
    error: 'needs `from` and `to` together',
  });

export type Freeze = z.output<typeof freezeSchema>;

/** What must hold before a lane changes its target; in worker.yaml the least that must hold. */
export const gatesSchema = z.strictObject({
  approvals: z.int().min(0).max(20).default(0).describe('How many people must approve.'),
  soak: durationSchema
    .prefault('0s')
    .describe('How long the version must have been live in the source before.'),
  freeze: z.array(freezeSchema).default([]).describe('Times in which nothing is promoted.'),
});

export type Gates = z.output<typeof gatesSchema>;

/** The stricter of both in everything: most approvals, longest soak, all freezes. */
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
