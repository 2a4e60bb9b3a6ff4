import { z } from 'zod';
import type { GitHubCaller } from '../access/github-caller.ts';
import { notFromGitHub } from '../access/read-answer.ts';

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
  /** The webhooks of a repository; undefined if the token has no access to them. */
  list(fullName: string): Promise<readonly RepositoryHook[] | undefined>;
  /** One page, newest first; `cursor` leads to older pages. Undefined if the token has no access. */
  deliveries(
    place: HookPlace,
    cursor: string,
  ): Promise<{ readonly attempts: readonly DeliveryAttempt[]; readonly next: string } | undefined>;
  /** Requests a redelivery under the same guid. False if GitHub no longer has the delivery. */
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

const hooksAnswer = z.array(hookAnswer);
const deliveriesAnswer = z.object({ attempts: z.array(attemptAnswer), link: z.string() });
const redeliveredAnswer = z.literal(true);

/** The statuses of a token that may not see webhooks. */
const denied = [401, 403, 404];

export function createHooks(github: GitHubCaller): Hooks {
  const pathOf = (place: HookPlace): string =>
    place.kind === 'app' ? '/app/hook/deliveries' : `/repos/${place.fullName}/hooks/${place.hook}/deliveries`;
  const ownerOf = (place: HookPlace) =>
    place.kind === 'app' ? { repository: 'app', as: 'app' as const } : { repository: place.fullName };

  return {
    async list(repository) {
      const hooks = await github.find(
        { operation: `list the webhooks of ${repository}`, repository, absent: denied },
        hooksAnswer,
        ({ octokit, owner, repo }) => octokit.rest.repos.listWebhooks({ owner, repo, per_page: 100 }),
      );
      return hooks?.map(({ id, active, events, config }) => ({ id, active, events, url: config.url }));
    },
    async deliveries(place, cursor) {
      if (place.kind === 'app' && github.access.kind !== 'app') return undefined;
      const page = await github.find(
        { operation: 'list the deliveries of the webhook', ...ownerOf(place), absent: denied },
        deliveriesAnswer,
        async ({ octokit }) => {
          const { data, headers } = await octokit.request(`GET ${pathOf(place)}`, {
            per_page: 100,
            ...(cursor === '' ? {} : { cursor }),
            // As text: octokit would round the ids.
            request: { parseSuccessResponseBody: false },
          });
          return { data: { attempts: readJson(await textOf(data)), link: headers.link ?? '' } };
        },
      );
      return page && { attempts: page.attempts.map(attemptOf), next: cursorIn(page.link) };
    },
    async redeliver(place, id) {
      const sent = await github.find(
        { operation: 'deliver an event again', ...ownerOf(place), absent: [404, 422] },
        redeliveredAnswer,
        async ({ octokit }) => {
          await octokit.request(`POST ${pathOf(place)}/${id}/attempts`);
          return { data: true };
        },
      );
      return sent !== undefined;
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

/** The cursor of the next page, from the header `Link`; empty on the last page. */
function cursorIn(link: string): string {
  const next = /<([^>]+)>;\s*rel="next"/u.exec(link)?.[1];
  return next === undefined ? '' : (new URL(next).searchParams.get('cursor') ?? '');
}

async function textOf(data: unknown): Promise<string> {
  if (typeof data === 'string') return data;
  return data instanceof ReadableStream ? new Response(data).text() : '';
}

/** Parses JSON, with every `id` as text. Throws the error for an answer that is not from GitHub. */
function readJson(text: string): unknown {
  const keepDigits = (key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    key === 'id' && typeof value === 'number' ? (context?.source ?? String(value)) : value;
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    throw notFromGitHub();
  }
}
