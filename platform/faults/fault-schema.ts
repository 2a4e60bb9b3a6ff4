import * as z from 'zod';
import { nonEmpty } from '../../lib/contract/field.ts';
import { operations } from '../../lib/contract/operations.ts';
import { duration } from '../clock/duration.ts';

/** The id under which the token endpoint is matched: the specification has no operation for it. */
export const tokenOperation = 'oauth.token';

const operation = z.enum([...operations.map(({ id }) => id), tokenOperation]);
const count = z.int().min(1);

/** What can happen to a connection instead of a whole answer. */
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
      .meta({ description: 'Operation ids; any where absent.' }),
    project: nonEmpty.optional(),
    nth: z
      .union([count, z.array(count).min(1)])
      .optional()
      .meta({ description: 'Which of the calls that match, from 1.' }),
    times: count.optional().meta({ description: 'How often at most.' }),
    probability: z.number().min(0).max(1).optional(),
    seed: z.int().default(1).meta({ description: 'Of the probability: the same seed, the same calls.' }),
    latency: duration.optional(),
    status: z.int().min(200).max(599).optional(),
    headers: z.record(headerName, headerValue).optional(),
    body: z.unknown().optional(),
    bodyBytes: z.int().min(0).optional().meta({ description: 'Instead of a body: so many bytes of filler.' }),
    wire: z.enum(wireFaults).optional(),
    interval: duration.optional().meta({ description: 'Time between the bytes of a dribble.' }),
    processed: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the request is carried out before the fault strikes.' }),
  })
  .superRefine(checkRule);

/** Rules in the order in which they are tried, and the rate limit; a list alone is its rules. */
export const faultsSchema = z.preprocess(
  (given) => (Array.isArray(given) ? { rules: given as unknown[] } : given),
  z.strictObject({
    rules: z.array(faultRuleSchema).optional(),
    rateLimit: z
      .union([count, z.boolean()])
      .optional()
      .meta({ description: 'Requests a minute; true is 1,000, false is none.' }),
  }),
);

/** A rule as a person writes it. */
export type FaultRule = z.input<typeof faultRuleSchema>;
/** Rules, or rules and the rate limit. */
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

/** What fields say that contradict each other, or that do nothing. */
function checkRule(rule: Checked, context: z.RefinementCtx): void {
  const refuse = (field: string, message: string) => {
    context.addIssue({ code: 'custom', path: [field], message, input: rule });
  };
  const { wire, processed } = rule;
  if (wire === undefined && rule.status === undefined && rule.latency === undefined)
    context.addIssue({
      code: 'custom',
      message: 'does nothing: give it a status, a latency or wire',
      input: rule,
    });
  for (const field of ['headers', 'body', 'bodyBytes'] as const)
    if (rule[field] !== undefined && rule.status === undefined) refuse(field, 'needs a status');
  if (rule.body !== undefined && rule.bodyBytes !== undefined) refuse('bodyBytes', 'stands beside a body');
  if (rule.bodyBytes !== undefined && wire !== undefined) refuse('bodyBytes', 'stands beside wire');
  if (unanswered.has(wire) && rule.status !== undefined)
    refuse('status', `is never sent with wire ${String(wire)}`);
  if (rule.interval !== undefined && wire !== 'dribble') refuse('interval', 'is of wire dribble alone');
  if ((wire === 'refuse' || wire === 'reset-before') && processed === true)
    refuse('processed', `cannot be true with wire ${wire}`);
  if (wire === 'reset-after' && processed === false)
    refuse('processed', 'cannot be false with wire reset-after');
}
