import { z } from 'zod';

const text = z.union([z.string(), z.number()]).transform(String);

const pingBody = z.object({
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
});

/** What GitHub says of a webhook when it is set up, and what about it will not do. */
export interface PingCheck {
  readonly hook: number | undefined;
  /** One sentence each, with what to do. */
  readonly problems: readonly string[];
}

/** Judges the webhook that a ping describes; undefined where the body is no ping. */
export function validatePing(body: unknown): PingCheck | undefined {
  const read = pingBody.safeParse(body).data;
  if (read === undefined) return undefined;
  const { active, events, config } = read.hook;
  const hears = (event: string): boolean => events.includes(event) || events.includes('*');
  const problems = [
    active ? undefined : 'it is not active: tick "Active"',
    hears('push') ? undefined : 'it is not told of pushes: add the event "push"',
    hears('issue_comment')
      ? undefined
      : 'it is not told of comments: add the event "issue comment" if promotions are to be approved by comments',
    config.content_type === undefined || config.content_type === 'json'
      ? undefined
      : 'its content type is not JSON: set it to application/json',
    config.insecure_ssl === undefined || config.insecure_ssl === '0'
      ? undefined
      : 'it does not check our certificate: enable SSL verification',
    isSafe(config.url) ? undefined : 'its address is not https: put a proxy with TLS before the worker',
  ];
  return { hook: read.hook_id, problems: problems.filter((one) => one !== undefined) };
}

/** Who delivers to the same machine needs no TLS. */
function isSafe(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return true;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
