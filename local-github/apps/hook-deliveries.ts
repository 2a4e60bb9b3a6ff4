import { createHmac, randomUUID } from 'node:crypto';
import { type Answer, notFound, ok, Refusal } from '../answers/answer.ts';
import type { Request } from '../answers/request.ts';

/** A webhook, with GitHub's record of its deliveries. */
export interface Hook {
  readonly id: number;
  /** `app`, or the repository that it belongs to. */
  readonly place: string;
  url: string;
  readonly secret: string;
  readonly events: readonly string[];
  readonly attempts: Attempt[];
}

interface Attempt {
  /** As text, because a number of JavaScript cannot hold GitHub's ids exactly. */
  readonly id: string;
  readonly guid: string;
  readonly delivered_at: string;
  readonly redelivery: boolean;
  readonly status: string;
  readonly status_code: number;
  readonly event: string;
  readonly repository_id: number | undefined;
  readonly body: string;
}

let lastAttempt = 9_100_000_000_000_000_000n;

/** Delivers an event for the first time or again, and records the receiver's answer. */
export async function attempt(
  hook: Hook,
  {
    event,
    body,
    guid,
    repositoryId,
  }: { event: string; body: string; guid?: string; repositoryId: number | undefined },
  now: () => number = Date.now,
): Promise<Attempt> {
  const deliveryGuid = guid ?? randomUUID();
  const { status, code } = await post(hook, event, body, deliveryGuid);
  const made: Attempt = {
    id: String((lastAttempt += 1n)),
    guid: deliveryGuid,
    delivered_at: new Date(now()).toISOString(),
    redelivery: guid !== undefined,
    status,
    status_code: code,
    event,
    repository_id: repositoryId,
    body,
  };
  hook.attempts.push(made);
  return made;
}

async function post(hook: Hook, event: string, body: string, guid: string) {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/044aadd',
    'x-github-delivery': guid,
    'x-github-event': event,
    'x-github-hook-id': String(hook.id),
    'x-hub-signature-256': `sha256=${createHmac('sha256', hook.secret).update(body).digest('hex')}`,
  };
  try {
    const response = await fetch(hook.url, { method: 'POST', headers, body, redirect: 'manual' });
    await response.arrayBuffer();
    return { status: response.ok ? 'OK' : response.statusText, code: response.status };
  } catch {
    return { status: 'failed to connect to host', code: 502 };
  }
}

/** The delivery as JSON. Written by hand, because its ids are numbers that are too long for `JSON.stringify`. */
function describe(made: Attempt): string {
  const { id, body: _body, ...rest } = made;
  return `{"id":${id},${JSON.stringify({ duration: 0.1, action: null, installation_id: null, throttled_at: null, ...rest }).slice(1)}`;
}

/** Lists deliveries, and repeats them. `rest`: the path after the path of the hook. */
export async function answerDeliveries(
  request: Request,
  hook: Hook,
  rest: string,
  apiUrl: string,
): Promise<Answer> {
  const again = /^\/deliveries\/(\d+)\/attempts$/u.exec(rest);
  if (again !== null && request.method === 'POST') {
    const first = hook.attempts.find(({ id }) => id === again[1]);
    if (first === undefined) throw notFound();
    const { event, body, guid, repository_id: repositoryId } = first;
    // GitHub answers at once and delivers afterwards.
    setImmediate(() => void attempt(hook, { event, body, guid, repositoryId }));
    return { status: 202, body: {} };
  }
  if (rest !== '/deliveries' || request.method !== 'GET') throw notFound();
  const size = Math.min(Number(request.query.get('per_page') ?? 30), 100);
  const cursor = request.query.get('cursor');
  if (cursor !== null && !/^v1_\d+$/u.test(cursor)) throw new Refusal(422, 'Invalid cursor');
  const from = cursor === null ? 0 : Number(cursor.slice(3));
  const newest = hook.attempts.toReversed();
  const next = new URLSearchParams({ per_page: String(size), cursor: `v1_${String(from + size)}` });
  const path = hook.place === 'app' ? '/app/hook' : `/repos/${hook.place}/hooks/${String(hook.id)}`;
  return {
    status: 200,
    body: `[${newest
      .slice(from, from + size)
      .map(describe)
      .join(',')}]`,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(newest.length > from + size
        ? { link: `<${apiUrl}${path}/deliveries?${next.toString()}>; rel="next"` }
        : {}),
    },
  };
}

/** A hook as GitHub's API lists it. */
export function listHooks(hooks: readonly Hook[], fullName: string): Answer {
  return ok(
    hooks
      .filter(({ place }) => place === fullName)
      .map(({ id, url, events }) => ({
        id,
        type: 'Repository',
        name: 'web',
        active: true,
        events,
        config: { url, content_type: 'json', insecure_ssl: '0', secret: '********' },
      })),
  );
}
