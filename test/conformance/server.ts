import { afterAll } from 'vitest';
import { hasDuckdb } from '../../engine/index.ts';
import { startPlatform } from '../../platform/index.ts';
import { createReviewRepository, type ReviewRepository } from './review-repository.ts';
import type { Need } from './conforms.ts';

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON, else the text; `undefined` where there is none. */
  readonly body: unknown;
}

export interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default the Super Admin's; '' for none. */
  readonly token?: string;
}

/**
 * The server under test. Without MILLRACE_BASE_URL a local platform of its own; else the server there, with
 * - MILLRACE_TOKEN: of a Super Admin;
 * - MILLRACE_CONFORMANCE_ADMIN_TOKEN, …_MEMBER_TOKEN: of an Admin and of a member that may see the project below;
 * - MILLRACE_CONFORMANCE_READER_TOKEN: of a member that may only read there;
 * - MILLRACE_CONFORMANCE_RUNNER_TOKEN: of a member with the level `runner` in `dev`;
 * - MILLRACE_CONFORMANCE_LIMITED_TOKEN: of a member with `admin` in `dev` and `noAccess` in …_HIDDEN, an environment there;
 * - MILLRACE_CONFORMANCE_GUARDED: an environment there whose default level is `readOnly`, for the member's `default`;
 * - MILLRACE_CONFORMANCE_PROJECT: a project that all of them see, with an environment `dev`;
 * - MILLRACE_CONFORMANCE_PAUSED_AGENT, …_STOPPED_AGENT: ids of a paused and of a stopped runner;
 * - MILLRACE_CONFORMANCE_AGENT: a runner's id; …_WAREHOUSE: its two warehouse kinds, `ONE,TWO`;
 * - MILLRACE_CONFORMANCE_STREAMING: `captures` or `simulates`;
 * - MILLRACE_CONFORMANCE_GIT_PROVIDER, …_OWNER: of repositories that may be linked;
 * - MILLRACE_CONFORMANCE_REVIEW_REPOSITORY: a linkable repository that `review-repository.ts` filled.
 * What is not given leaves the tests out that need it, by their titles.
 */
export interface Server {
  readonly baseUrl: string;
  readonly superAdmin: string;
  readonly admin: string | undefined;
  readonly member: string | undefined;
  readonly reader: string | undefined;
  readonly runner: string | undefined;
  readonly limited: string | undefined;
  readonly hidden: string | undefined;
  readonly guarded: string | undefined;
  readonly sharedProject: string | undefined;
  readonly agent: string;
  /** Whether the server refuses other ids of runners than those that it has. */
  readonly knowsRunners: boolean;
  readonly pausedAgent: string | undefined;
  readonly stoppedAgent: string | undefined;
  readonly warehouses: readonly [string, string];
  readonly gitProvider: string;
  readonly gitOwner: string;
  readonly review: ReviewRepository | undefined;
  /** Whether streaming pipelines capture changes, or only change their status. `undefined`: not known. */
  readonly streaming: 'captures' | 'simulates' | undefined;
  /** Moves the server's clock, where it has one that can be moved. */
  readonly advance: ((days: number) => Promise<void>) | undefined;
  /** Makes the server record audit events, where it can. */
  readonly record: ((names: readonly string[]) => Promise<void>) | undefined;
}

const ownProject = '00000000-1111-4222-8333-444444444444';
const agent = '11111111-2222-4333-8444-555555555555';
const pausedAgent = '22222222-2222-4333-8444-555555555555';
const stoppedAgent = '33333333-2222-4333-8444-555555555555';

/** Nothing listens on the port 1 of this machine. */
const capturing = {
  settings: { streaming: 'engine' as const },
  secrets: [{ name: 'conformance', environmentVariable: 'CONFORMANCE_SECRET' }],
  streamingSources: [
    { host: '127.0.0.1', port: 1, secret: 'conformance' },
    { host: '127.0.0.1', port: 2, secret: 'conformance-missing' },
  ],
};

const ownSeed = {
  settings: { streamingTime: '300ms' },
  agents: {
    [agent]: 'running',
    [pausedAgent]: { name: 'paused', state: 'paused' as const },
    [stoppedAgent]: { name: 'stopped', state: 'stopped' as const },
  },
  connectors: {
    custom: [{ id: 'weather', name: 'Weather' }],
    flex: [{ id: 'shop', name: 'Shop' }],
    rows: { weather: [{ city: 'Oslo' }] },
  },
  projects: [
    {
      id: ownProject,
      name: 'shared',
      environments: ['dev', 'hidden', { name: 'guarded', defaultUserAccessLevel: 'readOnly' as const }],
    },
  ],
  credentials: [
    { name: 'super-admin', role: 'superAdmin' as const },
    { name: 'admin', role: 'admin' as const },
    { name: 'member', role: 'member' as const },
    {
      name: 'reader',
      role: 'member' as const,
      accessLevel: 'readOnly' as const,
      token: 'conformance-reader',
    },
    {
      name: 'runner',
      role: 'member' as const,
      accessLevel: 'runner' as const,
      token: 'conformance-runner',
    },
    {
      name: 'limited',
      role: 'member' as const,
      projects: { shared: { dev: 'admin' as const, hidden: 'noAccess' as const, guarded: 'admin' as const } },
      token: 'conformance-limited',
    },
  ],
};

async function ownServer(streaming: 'captures' | 'simulates'): Promise<Server> {
  const repository = await createReviewRepository();
  const platform = await startPlatform({
    seed: streaming === 'captures' ? { ...ownSeed, ...capturing } : ownSeed,
    gitRoot: repository.root,
    environment: { ...process.env, CONFORMANCE_SECRET: 'secret' },
  });
  afterAll(async () => {
    await platform.close();
    await repository.remove();
  });
  return {
    baseUrl: platform.baseUrl,
    superAdmin: platform.tokens.superAdmin,
    admin: platform.tokens.admin,
    member: platform.tokens.member,
    reader: 'conformance-reader',
    runner: 'conformance-runner',
    limited: 'conformance-limited',
    hidden: 'hidden',
    guarded: 'guarded',
    sharedProject: ownProject,
    agent,
    knowsRunners: true,
    pausedAgent,
    stoppedAgent,
    warehouses: ['WAREHOUSE_ONE', 'WAREHOUSE_TWO'],
    gitProvider: 'git-host',
    gitOwner: repository.owner,
    review: repository,
    streaming,
    advance: async (days) => {
      await platform.clock.advance(`${String(days)}d`);
    },
    record: async (names) => {
      const answer = await fetch(`${platform.baseUrl}/_platform/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-millrace-platform': '1' },
        body: JSON.stringify(names.map((name) => ({ name }))),
      });
      if (!answer.ok) throw new Error(`The events were answered ${String(answer.status)}.`);
    },
  };
}

async function givenServer(baseUrl: string): Promise<Server> {
  const { env } = process;
  const [one = 'WAREHOUSE_ONE', two = 'WAREHOUSE_TWO'] = (env['MILLRACE_CONFORMANCE_WAREHOUSE'] ?? '')
    .split(',')
    .filter(Boolean);
  const owner = env['MILLRACE_CONFORMANCE_OWNER'] ?? 'demo';
  const name = env['MILLRACE_CONFORMANCE_REVIEW_REPOSITORY'];
  return {
    baseUrl: baseUrl.replace(/\/$/, '').replace(/\/v1$/, ''),
    superAdmin: env['MILLRACE_TOKEN'] ?? '',
    admin: env['MILLRACE_CONFORMANCE_ADMIN_TOKEN'],
    member: env['MILLRACE_CONFORMANCE_MEMBER_TOKEN'],
    reader: env['MILLRACE_CONFORMANCE_READER_TOKEN'],
    runner: env['MILLRACE_CONFORMANCE_RUNNER_TOKEN'],
    limited: env['MILLRACE_CONFORMANCE_LIMITED_TOKEN'],
    hidden: env['MILLRACE_CONFORMANCE_HIDDEN'],
    guarded: env['MILLRACE_CONFORMANCE_GUARDED'],
    sharedProject: env['MILLRACE_CONFORMANCE_PROJECT'],
    agent: env['MILLRACE_CONFORMANCE_AGENT'] ?? agent,
    // A made-up id works only where every id exists.
    knowsRunners: env['MILLRACE_CONFORMANCE_AGENT'] !== undefined,
    pausedAgent: env['MILLRACE_CONFORMANCE_PAUSED_AGENT'],
    stoppedAgent: env['MILLRACE_CONFORMANCE_STOPPED_AGENT'],
    warehouses: [one, two],
    gitProvider: env['MILLRACE_CONFORMANCE_GIT_PROVIDER'] ?? 'git-host',
    gitOwner: owner,
    // The commits are the same everywhere: identity and time of their author are fixed.
    review: name === undefined ? undefined : { ...(await commitsOnly()), owner, name },
    streaming: streamingOf(env['MILLRACE_CONFORMANCE_STREAMING']),
    advance: undefined,
    record: undefined,
  };
}

function streamingOf(setting: string | undefined): Server['streaming'] {
  return setting === 'captures' || setting === 'simulates' ? setting : undefined;
}

async function commitsOnly(): Promise<ReviewRepository> {
  const repository = await createReviewRepository();
  afterAll(() => repository.remove());
  return repository;
}

/** The server that the settings name. Call it at the top of a test file; what it started ends with the file. */
export async function openServer(): Promise<Server> {
  const baseUrl = process.env['MILLRACE_BASE_URL'];
  return baseUrl === undefined || baseUrl === '' ? ownServer('simulates') : givenServer(baseUrl);
}

/** The same with streaming pipelines that capture changes; a local platform does so only with DuckDB. */
export async function openCapturingServer(): Promise<Server> {
  const baseUrl = process.env['MILLRACE_BASE_URL'];
  if (baseUrl !== undefined && baseUrl !== '') return givenServer(baseUrl);
  return ownServer((await hasDuckdb()) ? 'captures' : 'simulates');
}

/** One plain request. Nothing is repeated and no redirect followed. */
export async function send(server: Server, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const { body, headers = {}, token = server.superAdmin } = sent;
  const raw = body instanceof FormData || typeof body === 'string';
  const response = await fetch(`${server.baseUrl}${path}`, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(raw || body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : isJson ? (JSON.parse(text) as unknown) : text,
  };
}

export const needsAdmin = (server: Server): Need => ({
  met: server.admin !== undefined,
  words: 'needs MILLRACE_CONFORMANCE_ADMIN_TOKEN',
});
export const needsMember = (server: Server): Need => ({
  met: server.member !== undefined && server.sharedProject !== undefined,
  words: 'needs MILLRACE_CONFORMANCE_MEMBER_TOKEN and MILLRACE_CONFORMANCE_PROJECT',
});
export const needsReader = (server: Server): Need => ({
  met: server.reader !== undefined && server.sharedProject !== undefined,
  words: 'needs MILLRACE_CONFORMANCE_READER_TOKEN and MILLRACE_CONFORMANCE_PROJECT',
});
export const needsRunner = (server: Server): Need => ({
  met: server.runner !== undefined && server.sharedProject !== undefined,
  words: 'needs MILLRACE_CONFORMANCE_RUNNER_TOKEN and MILLRACE_CONFORMANCE_PROJECT',
});
export const needsLimited = (server: Server): Need => ({
  met: server.limited !== undefined && server.hidden !== undefined && server.sharedProject !== undefined,
  words:
    'needs MILLRACE_CONFORMANCE_LIMITED_TOKEN, MILLRACE_CONFORMANCE_HIDDEN and MILLRACE_CONFORMANCE_PROJECT',
});
export const needsGuarded = (server: Server): Need => ({
  met: server.guarded !== undefined && server.member !== undefined && server.sharedProject !== undefined,
  words:
    'needs MILLRACE_CONFORMANCE_MEMBER_TOKEN, MILLRACE_CONFORMANCE_GUARDED and MILLRACE_CONFORMANCE_PROJECT',
});
export const needsReview = (server: Server): Need => ({
  met: server.review !== undefined,
  words: 'needs MILLRACE_CONFORMANCE_REVIEW_REPOSITORY',
});
export const needsRunners = (server: Server): Need => ({
  met: server.knowsRunners,
  words: 'needs MILLRACE_CONFORMANCE_AGENT, the id of a runner that exists',
});
export const needsPausedAgent = (server: Server): Need => ({
  met: server.pausedAgent !== undefined,
  words: 'needs MILLRACE_CONFORMANCE_PAUSED_AGENT',
});
export const needsStoppedAgent = (server: Server): Need => ({
  met: server.stoppedAgent !== undefined,
  words: 'needs MILLRACE_CONFORMANCE_STOPPED_AGENT',
});
export const needsSimulation = (server: Server): Need => ({
  met: server.streaming === 'simulates',
  words: 'needs MILLRACE_CONFORMANCE_STREAMING=simulates',
});
export const needsCapture = (server: Server): Need => ({
  met: server.streaming === 'captures',
  words: 'needs MILLRACE_CONFORMANCE_STREAMING=captures, or DuckDB for the local platform',
});
export const needsEvents = (server: Server): Need => ({
  met: server.record !== undefined,
  words: 'needs a server that records events on request',
});
export const needsClock = (server: Server): Need => ({
  met: server.advance !== undefined,
  words: 'needs a server whose clock the suite may move',
});
