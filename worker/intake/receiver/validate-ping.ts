import { z } from 'zod';
import { payloadSchema } from '../../records/payload-schema.ts';

const text = z.union([z.string(), z.number()]).transform(String);

const pingBody = payloadSchema<'ping'>()(
  z.object({
    hook_id: z.int().optional(),
    hook: z.object({
      type: z.string().max(50).default(''),
      active: z.boolean().default(true),
      events: z.array(z.string().max(100)).max(200).default([]),
      config: z
        .object({
          content_type: text.optional(),
          insecure_ssl: text.optional(),
          url: z.string().max(2_000).optional(),
        })
        .default({}),
    }),
  }),
);

/** The webhook as GitHub describes it at set-up, and what is wrong with it. */
export interface PingCheck {
  readonly hook: number | undefined;
  /** One sentence each, with the fix. */
  readonly problems: readonly string[];
}

/** Validates the webhook that a ping describes; undefined if the body is not a ping. */
export function validatePing(body: unknown): PingCheck | undefined {
  const read = pingBody.safeParse(body).data;
  if (read === undefined) return undefined;
  const { active, events, config } = read.hook;
  const receives = (event: string): boolean => events.includes(event) || events.includes('*');
  const problems = [
    active ? undefined : 'the webhook is not active: tick "Active"',
    receives('push') ? undefined : 'the webhook does not send pushes: add the event "push"',
    receives('issue_comment')
      ? undefined
      : 'the webhook does not send comments: add the event "issue comment" to approve promotions by comments',
    config.content_type === undefined || config.content_type === 'json'
      ? undefined
      : 'its content type is not JSON: set it to application/json',
    config.insecure_ssl === undefined || config.insecure_ssl === '0'
      ? undefined
      : 'the webhook does not verify our certificate: enable SSL verification',
    isSafe(config.url) ? undefined : 'its address is not https: put a proxy with TLS in front of the worker',
  ];
  return { hook: read.hook_id, problems: problems.filter((problem) => problem !== undefined) };
}

/** A delivery to the same machine needs no TLS. */
function isSafe(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return true;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
