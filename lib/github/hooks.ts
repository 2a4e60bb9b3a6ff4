import { z } from 'zod';
import type { Ask } from './ask.ts';
import type { GitHubAccess } from './github-access.ts';

/** One delivery attempt of GitHub. */
export interface DeliveryAttempt {
  /** Text, because GitHub's ids exceed the exact range of a number. */
  readonly id: string;
  /** Equal for an event and all its redeliveries; the value of `X-GitHub-Delivery`. */
  readonly guid: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Whether the receiver answered 2xx. */
  readonly ok: boolean;
  readonly event: string;
  readonly redelivery: boolean;
  readonly repositoryId: number | undefined;
}

/** The webhook whose deliveries are listed: the App's own, or a repository's hook. */
export type HookPlace =
  | { readonly kind: 'app' }
  | { readonly kind: 'repository'; readonly fullName: string; readonly hook: number };

export interface RepositoryHook {
  readonly id: number;
  readonly active: boolean;
  readonly events: readonly string[];
  readonly url: string;
}

/** GitHub's record of its deliveries. */
export interface Hooks {
  /** The webhooks of a repository; undefined where the token has no access to them. */
  list(fullName: string): Promise<readonly RepositoryHook[] | undefined>;
  /** One page, newest first; `cursor` leads to older pages. Undefined where the token has no access. */
  deliveries(
    place: HookPlace,
    cursor: string,
  ): Promise<{ readonly attempts: readonly DeliveryAttempt[]; readonly next: string } | undefined>;
  /** Requests a redelivery under the same guid. False where GitHub no longer has the delivery. */
  redeliver(place: HookPlace, id: string): Promise<boolean>;
}

const attemptAnswer = z.object({
  id: z.string(),
  guid: z.string(),
  delivered_at: z.string(),
  redelivery: z.boolean(),
  status_code: z.number(),
  event: z.string(),
  repository_id: z.number().nullish(),
});

const hookAnswer = z.object({
  id: z.number(),
  active: z.boolean(),
  events: z.array(z.string()),
  config: z.object({ url: z.string().default('') }),
});

const denied = [401, 403, 404];
const pageSize = 100;

export function hooks(ask: Ask, access: GitHubAccess): Hooks {
  const addressOf = (place: HookPlace): string =>
    place.kind === 'app' ? '/app/hook/deliveries' : `/repos/${place.fullName}/hooks/${place.hook}/deliveries`;
  const keyOf = (place: HookPlace): string => (place.kind === 'app' ? 'app' : place.fullName);
  const asOf = (place: HookPlace) => (place.kind === 'app' ? { as: 'app' as const } : {});

  return {
    async list(fullName) {
      const found = await ask(
        `list the webhooks of ${fullName}`,
        fullName,
        ({ octokit, owner, repo }) => octokit.rest.repos.listWebhooks({ owner, repo, per_page: 100 }),
        { absent: denied },
      );
      if (found === undefined) return undefined;
      return z
        .array(hookAnswer)
        .parse(found)
        .map(({ id, active, events, config }) => ({ id, active, events, url: config.url }));
    },
    async deliveries(place, cursor) {
      if (place.kind === 'app' && access.kind !== 'app') return undefined;
      const found = await ask(
        'list the deliveries of the webhook',
        keyOf(place),
        async ({ octokit }) => {
          const { data, headers } = await octokit.request(`GET ${addressOf(place)}`, {
            per_page: pageSize,
            ...(cursor === '' ? {} : { cursor }),
            request: { parseSuccessResponseBody: false },
          });
          return { data: { text: await textOf(data), link: headers.link ?? '' } };
        },
        { absent: denied, ...asOf(place) },
      );
      if (found === undefined) return undefined;
      const attempts = z.array(attemptAnswer).parse(readJson(found.text)).map(attemptOf);
      return { attempts, next: cursorIn(found.link) };
    },
    async redeliver(place, id) {
      const done = await ask(
        'deliver an event again',
        keyOf(place),
        ({ octokit }) => octokit.request(`POST ${addressOf(place)}/${id}/attempts`),
        { absent: [404, 422], ...asOf(place) },
      );
      return done !== undefined;
    },
  };
}

function attemptOf(read: z.infer<typeof attemptAnswer>): DeliveryAttempt {
  return {
    id: read.id,
    guid: read.guid,
    at: Date.parse(read.delivered_at),
    ok: read.status_code >= 200 && read.status_code < 300,
    event: read.event,
    redelivery: read.redelivery,
    repositoryId: read.repository_id ?? undefined,
  };
}

/** The cursor of the next page, from the header `Link`; '' at the end. */
function cursorIn(link: string): string {
  const next = /<([^>]+)>;\s*rel="next"/u.exec(link)?.[1];
  return next === undefined ? '' : (new URL(next).searchParams.get('cursor') ?? '');
}

async function textOf(data: unknown): Promise<string> {
  if (typeof data === 'string') return data;
  return data instanceof ReadableStream ? new Response(data).text() : '[]';
}

/** Parses JSON and keeps the exact digits of each `id` as text. */
function readJson(text: string): unknown {
  const keepDigits = (key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    key === 'id' && typeof value === 'number' ? (context?.source ?? String(value)) : value;
  return JSON.parse(text, keepDigits);
}
