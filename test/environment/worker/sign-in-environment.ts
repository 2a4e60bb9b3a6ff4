import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { readWorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { webUrlOf } from '../../../lib/github/access/web-url.ts';
import { startWorker } from '../../../worker/app/start-worker.ts';
import type { WorkerSettings } from '../../../worker/settings/settings.ts';
import type { TestRedis } from '../redis.ts';
import { createWorkerEnvironment, repositoryName, workerFile } from './worker-environment.ts';

export const clientSecret = 'the-secret-of-the-app';
const hash = createHash('sha256').update('ada-token').digest('hex');
export const operators = `operators:
  - { name: ada, role: admin, repositories: all, token-hash: "sha256:${hash}" }
  - { name: grace, github: hopper, role: admin, repositories: all }
  - { name: "@example/platform", role: viewer, repositories: [77] }
`;

export type Cookies = Readonly<Record<string, string>>;

/** A worker with sign-in, a GitHub, and browsers that keep cookies and follow what our pages and GitHub's say. */
export async function createSignInEnvironment(
  redis: TestRedis,
  settings: Partial<WorkerSettings> = {},
  publicUrl?: string,
) {
  const env = await createWorkerEnvironment({
    lanes: '  []',
    github: {
      oauthApp: { clientId: 'client-1', clientSecret, callbackUrl: '' },
      tokens: { 'token-of-linus': { login: 'linus-t', permissions: {} } },
    },
  });
  const { github } = env;
  let config = readWorkerConfig(`${workerFile()}${operators}`, 'worker.yaml');
  let url = '';
  const lines: unknown[] = [];
  const log = (...line: readonly unknown[]): void => void lines.push(line);
  const base = env.options(redis);
  let now = 0;
  const worker = await startWorker({
    ...base,
    get config() {
      return config;
    },
    clock: { ...base.clock, now: () => Date.now() + now },
    settings: { ...base.settings, ...settings },
    logger: { ...silentLogger, info: log, warn: log, error: log },
    signIn: () => ({
      clientId: 'client-1',
      clientSecret,
      apiUrl: github.apiUrl,
      webUrl: webUrlOf(github.apiUrl),
      redirectUri: `${publicUrl ?? url}/session/github/callback`,
    }),
  });
  ({ url } = worker);
  github.oauthApp.callbackUrl = `${publicUrl ?? url}/session/github/callback`;
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });

  const visit = async (
    address: string,
    cookies: Cookies = {},
    init: { method?: string; headers?: Record<string, string>; body?: URLSearchParams } = {},
  ) => {
    const headers = { accept: 'text/html', cookie: cookieText(cookies), ...init.headers };
    const answer = await fetch(new URL(address, url), { redirect: 'manual', ...init, headers });
    const set = answer.headers.getSetCookie();
    const kept = Object.fromEntries(set.map((line) => splitOnce(line.split(';')[0] ?? '')));
    const leadsTo = answer.headers.get('refresh')?.replace('0;url=', '') ?? answer.headers.get('location');
    return { status: answer.status, text: await answer.text(), set, cookies: kept, leadsTo };
  };
  /** Presses the button. */
  const begin = (next = '/', headers: Record<string, string> = { origin: url }) =>
    visit('/session/github', {}, { method: 'POST', headers, body: new URLSearchParams({ next }) });
  /** What GitHub sends the browser back to. */
  const authorize = async (begun: { leadsTo: string | null | undefined }, who: string) =>
    (await visit(begun.leadsTo ?? '', {}, { headers: { cookie: `user=${who}` } })).leadsTo ?? '';
  const signIn = async (who: string, next?: string) => {
    const begun = await begin(next);
    return visit(await authorize(begun, who), begun.cookies);
  };
  const me = async (cookies: Cookies) => {
    const headers = { cookie: cookieText(cookies) };
    const answer = await fetch(`${url}/api/me`, { headers });
    return { status: answer.status, body: await answer.json() };
  };
  const pause = async (cookies: Cookies) =>
    fetch(`${url}/api/pause`, {
      method: 'POST',
      headers: { cookie: cookieText(cookies), origin: url },
      body: JSON.stringify({ reason: 'upgrade' }),
    });
  return {
    github,
    lines,
    pause,
    url,
    visit,
    begin,
    authorize,
    signIn,
    me,
    prefix: env.prefix,
    join: (login: string, state: 'active' | 'pending' = 'active') =>
      github.repository(repositoryName).memberships.set(`platform/${login}`, state),
    leave: (login: string) => github.repository(repositoryName).memberships.delete(`platform/${login}`),
    pass: (ms: number) => (now += ms),
    setOperators: (text: string) => (config = readWorkerConfig(`${workerFile()}${text}`, 'worker.yaml')),
  };
}

const splitOnce = (text: string): [string, string] => {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
};

const cookieText = (cookies: Cookies): string =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
