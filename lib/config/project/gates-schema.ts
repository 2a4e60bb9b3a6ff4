import { z } from 'zod';
import { durationSchema } from '../fields/duration-schema.ts';
import { globSchema, nameSchema } from '../fields/field-types.ts';
import { evidenceRulesSchema, strictestEvidence } from './evidence-rules-schema.ts';

export const weekDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type WeekDay = (typeof weekDays)[number];

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day such as "18:30", in quotes' });

/** A weekly period: whole days, hours of certain days, or hours of every day. */
const periodSchema = z
  .strictObject({
    days: z.array(z.enum(weekDays)).min(1).optional().describe('Days of the week. Default: every day.'),
    from: timeOfDay.optional().describe('Start time. Default: the whole day.'),
    to: timeOfDay.optional().describe('End time, exclusive. A time before `from` is on the next day.'),
    zone: z.string().refine(isZone, { error: 'must be a time zone such as Europe/London' }).default('UTC'),
  })
  .refine(({ days, from, to }) => (days ?? from ?? to) !== undefined, {
    error: 'needs `days`, or `from` and `to`; without them the period would never end',
  })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), {
    error: 'needs `from` and `to` together',
  });

export type Period = z.output<typeof periodSchema>;

const gateFields = {
  approvals: z.int().min(0).max(20).default(0).describe('Number of people who must approve.'),
  'authors-may-approve': z
    .boolean()
    .default(true)
    .describe('Whether the authors and committers of the pushed commits may approve.'),
  soak: durationSchema
    .prefault('0s')
    .describe('Minimum time that the version must have been live in the source environment.'),
  checks: z
    .array(nameSchema)
    .max(20)
    .default([])
    .describe('Check runs on GitHub that must have succeeded on the commit, such as the review.'),
  evidence: evidenceRulesSchema.describe(
    'Signed statements that the version must have, each with `mode: warn` (default) or `require`.',
  ),
  freeze: z.array(periodSchema).default([]).describe('Periods without promotions.'),
  windows: z
    .array(periodSchema)
    .default([])
    .describe('Periods outside of which nothing is promoted. Default: any time.'),
};

/** Each file's windows are a list of their own: a promotion must be in a window of each. */
function toGates<
  Value extends { readonly windows: readonly Period[]; readonly 'authors-may-approve': boolean },
>({ windows, 'authors-may-approve': authorsMayApprove, ...others }: Value) {
  return { ...others, authorsMayApprove, windows: windows.length === 0 ? [] : [windows] };
}

/** Conditions in millrace.yaml that a lane must meet before it changes its target. */
export const gatesSchema = z.strictObject(gateFields).transform(toGates);

export type Gates = z.output<typeof gatesSchema>;

/** Conditions in worker.yaml for an environment: the minimum gates, and what lanes to it must have. */
export const environmentRulesSchema = z
  .strictObject({
    ...gateFields,
    from: z
      .array(nameSchema)
      .min(1)
      .optional()
      .describe('Environments that versions may come from. Default: any environment.'),
    verify: z
      .array(globSchema)
      .default([])
      .describe('Pipelines that every lane must run to verify; each pattern must match one of the lane.'),
  })
  .transform(toGates);

/**
 * Combines two sets of gates: the larger number of approvals and the longer soak time, and all checks, freezes,
 * evidence rules and windows of both.
 */
export function strictestGates(a: Gates, b: Gates): Gates {
  return {
    approvals: Math.max(a.approvals, b.approvals),
    authorsMayApprove: a.authorsMayApprove && b.authorsMayApprove,
    soak: Math.max(a.soak, b.soak),
    checks: [...new Set([...a.checks, ...b.checks])],
    evidence: strictestEvidence(a.evidence, b.evidence),
    freeze: [...a.freeze, ...b.freeze],
    windows: [...a.windows, ...b.windows],
  };
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
