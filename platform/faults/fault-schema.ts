import * as z from 'zod';
import { nonEmpty } from '../../lib/contract/description/field.ts';
import { operations } from '../../lib/contract/operations.ts';
import { duration } from '../clock/duration.ts';

/** Operation id of the token endpoint in fault rules: the specification has no operation for it. */
export const tokenOperation = 'oauth.token';

const operation = z.enum([...operations.map(({ id }) => id), tokenOperation]);
const count = z.int().min(1);

/** What a rule can do to the connection instead of sending a complete answer. */
export const wireFaults = [
  'refuse',
  'reset-before',
  'reset-after',
  'empty',
  'dribble',
  'malformed-chunk',
  'truncated',
  'stall',
  'silence',
] as const;
export type WireFault = (typeof wireFaults)[number];

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be a header name');
const headerValue = z.string().regex(/^[\t\u0020-\u007e\u0080-\u00ff]*$/, 'must be a header value');

export const faultRuleSchema = z
  .strictObject({
    operation: z
      .union([operation, z.array(operation).min(1)])
      .optional()
      .meta({ description: 'Operation ids. Default: all operations.' }),
    project: nonEmpty.optional(),
    nth: z
      .union([count, z.array(count).min(1)])
      .optional()
      .meta({ description: 'Numbers of the matching calls, from 1.' }),
    times: count.optional().meta({ description: 'Maximum number of times.' }),
    probability: z.number().min(0).max(1).optional(),
    seed: z
      .int()
      .default(1)
      .meta({ description: 'Seed of the probability: the same seed selects the same calls.' }),
    latency: duration.optional(),
    status: z.int().min(200).max(599).optional(),
    headers: z.record(headerName, headerValue).optional(),
    body: z.unknown().optional(),
    bodyBytes: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Number of filler bytes to send instead of a body.' }),
    wire: z.enum(wireFaults).optional(),
    interval: duration.optional().meta({ description: 'Time between two bytes with wire dribble.' }),
    processed: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the request is executed before the fault is applied.' }),
  })
  .superRefine(checkRule);

/** Rules in the order in which they are tried, and the rate limit. A list alone means the rules. */
export const faultsSchema = z.preprocess(
  (plan) => (Array.isArray(plan) ? { rules: plan as unknown[] } : plan),
  z.strictObject({
    rules: z.array(faultRuleSchema).optional(),
    rateLimit: z
      .union([count, z.boolean()])
      .optional()
      .meta({ description: 'Requests per minute; true means 1,000, false means no limit.' }),
  }),
);

/** A rule as written by a user. */
export type FaultRule = z.input<typeof faultRuleSchema>;
/** Rules, or rules with a rate limit. */
export type FaultPlan =
  readonly FaultRule[] | { readonly rules?: readonly FaultRule[]; readonly rateLimit?: number | boolean };
export type ReadyRule = z.output<typeof faultRuleSchema>;
export type ReadyPlan = z.output<typeof faultsSchema>;

const unanswered: ReadonlySet<unknown> = new Set([
  'refuse',
  'reset-before',
  'reset-after',
  'empty',
  'silence',
]);

interface Checked {
  readonly latency?: number | undefined;
  readonly status?: number | undefined;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly bodyBytes?: number | undefined;
  readonly wire?: WireFault | undefined;
  readonly interval?: number | undefined;
  readonly processed?: boolean | undefined;
}

/** Refuses contradictory fields and a rule without effect. */
function checkRule(rule: Checked, context: z.RefinementCtx): void {
  const refuse = (field: string, message: string) => {
    context.addIssue({ code: 'custom', path: [field], message, input: rule });
  };
  const { wire, processed } = rule;
  if (wire === undefined && rule.status === undefined && rule.latency === undefined)
    context.addIssue({
      code: 'custom',
      message: 'has no effect: add status, latency or wire',
      input: rule,
    });
  for (const field of ['headers', 'body', 'bodyBytes'] as const)
    if (rule[field] !== undefined && rule.status === undefined) refuse(field, 'needs a status');
  if (rule.body !== undefined && rule.bodyBytes !== undefined)
    refuse('bodyBytes', 'cannot be combined with body');
  if (rule.bodyBytes !== undefined && wire !== undefined) refuse('bodyBytes', 'cannot be combined with wire');
  if (unanswered.has(wire) && rule.status !== undefined)
    refuse('status', `is never sent with wire ${String(wire)}`);
  if (rule.interval !== undefined && wire !== 'dribble')
    refuse('interval', 'is allowed only together with wire: dribble');
  if ((wire === 'refuse' || wire === 'reset-before') && processed === true)
    refuse('processed', `cannot be true with wire ${wire}`);
  if (wire === 'reset-after' && processed === false)
    refuse('processed', 'cannot be false with wire reset-after');
}
