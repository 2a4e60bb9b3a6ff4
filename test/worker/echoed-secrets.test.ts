import type { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../client/index.ts';
import { secretForms } from '../../lib/core/text/redactor.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { createGitHubPort } from '../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../lib/github/access/github-access.ts';
import { startWorker } from '../../worker/app/start-worker.ts';
import { testRedis } from '../environment/redis.ts';
import { eventually } from '../environment/worker/eventually.ts';
import { pushed, release, tagged, toTest } from '../environment/worker/lanes-at-work.ts';
import {
  createWorkerEnvironment,
  deliveriesOf,
  promotionsOf,
  workerToken,
} from '../environment/worker/worker-environment.ts';

const redis = testRedis();

const githubToken = 'planted-github-token/4711+x';
const forms = (secret: string): string =>
  [
    secret,
    encodeURIComponent(secret),
    JSON.stringify({ secret }),
    Buffer.from(`a:${secret}`).toString('base64'),
  ].join(' ');
const html = (text: string) => `<html><title>502</title><p>${text}</p></html>`;

/** Everything that is in Redis, as text. */
async function contentOf(connection: Redis): Promise<string> {
  const keys = await connection.keys('*');
  const values = await Promise.all(
    keys.map(async (key): Promise<unknown> => {
      switch (await connection.type(key)) {
        case 'string':
          return connection.get(key);
        case 'hash':
          return connection.hgetall(key);
        case 'list':
          return connection.lrange(key, 0, -1);
        case 'set':
          return connection.smembers(key);
        case 'zset':
          return connection.zrange(key, '0', '-1');
        case 'stream':
          return connection.xrange(key, '-', '+');
        default:
          return '';
      }
    }),
  );
  return JSON.stringify([keys, values]);
}

const shownBy = ['deliveries', 'promotions', 'lanes', 'audit', 'dead-letters', 'export', 'metrics', 'config'];
const pages = ['', 'deliveries', 'promotions', 'dead-letters', 'audit'];

/** A worker with a planted token of GitHub, whose requests to the platform have the token of the seed. */
async function plantedWorker() {
  const env = await createWorkerEnvironment({
    lanes: toTest,
    github: {
      tokens: { [githubToken]: { permissions: { contents: 'read', statuses: 'write', checks: 'read' } } },
    },
  });
  const logged: string[] = [];
  const log = (message: string, fields?: Record<string, unknown>) =>
    void logged.push(`${message} ${JSON.stringify(fields)}`);
  const options = env.options(redis);
  const worker = await startWorker({
    ...options,
    settings: { ...options.settings, unansweredMs: 50 },
    logger: { debug: log, info: log, warn: log, error: log },
    github: createGitHubPort({
      apiUrl: env.github.apiUrl,
      access: tokenAccess(() => githubToken),
      clock: systemClock,
    }),
    // One attempt: its error is what the test waits for.
    createClientFor: (_, middlewares) =>
      createClient({
        baseUrl: env.wire.baseUrl,
        auth: { token: env.platform.tokens.admin },
        middlewares,
        maxAttempts: 1,
      }),
  });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
    await redis.empty();
  });
  /** Where the secret can be seen, in any form or in part. */
  async function leaks(secret: string): Promise<readonly string[]> {
    const get = async (path: string) => {
      const headers = { authorization: `Bearer ${workerToken}` };
      return (await fetch(`${worker.url}/${path}`, { headers })).text();
    };
    const { statuses, checkRuns, deployments, comments } = env.github.repository('example/warehouse');
    const seen: Record<string, string> = {
      Redis: await contentOf(redis.connect()),
      log: logged.join('\n'),
      GitHub: JSON.stringify([statuses, checkRuns, deployments, comments]),
    };
    for (const path of shownBy) seen[`/api/${path}`] = await get(`api/${path}`);
    for (const { id } of await promotionsOf(worker.url, 'to-test'))
      seen[`/api/promotions/${id}`] = await get(`api/promotions/${id}`);
    for (const page of pages) seen[`/${page}`] = await get(page);
    const searched = [...secretForms(secret), secret.slice(0, 14)];
    return Object.entries(seen).flatMap(([name, text]) =>
      searched.some((form) => text.includes(form)) ? [name] : [],
    );
  }
  return { env, worker, leaks };
}

test('a token that GitHub repeats in an error is in no record, answer, page or log line', async () => {
  const { env, worker, leaks } = await plantedWorker();
  await release(env, 'v1.0.0');
  const answers = [
    { status: 401, body: { message: forms(githubToken) } },
    { status: 422, body: { message: 'Validation Failed', errors: [{ message: forms(githubToken) }] } },
    { status: 502, body: html(`${'x'.repeat(200)}${forms(githubToken)}`) },
    { status: 200, body: html(forms(githubToken)) },
  ];
  let met = 0;
  env.github.interfere(() => answers[met++ % answers.length]);
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await deliveriesOf(worker.url))[0]?.ingestResult).toMatch(
    /not processed yet/,
  );
  expect(await leaks(githubToken)).toEqual([]);
  env.github.interfere((request) =>
    request.method === 'POST' ? answers[met++ % answers.length] : undefined,
  );
  const before = met;
  await eventually(() => met - before).toBeGreaterThan(1);
  expect(await leaks(githubToken)).toEqual([]);
});

test('a token that the platform repeats in an error is in no record, answer, page, log line or status', async () => {
  const { env, worker, leaks } = await plantedWorker();
  const secret = env.platform.tokens.admin;
  const json = { 'content-type': 'application/json' };
  const answers = [
    { status: 401, headers: json, body: JSON.stringify({ error: forms(secret), status: 401 }) },
    { status: 502, headers: { 'content-type': 'text/html' }, body: html(forms(secret)) },
    { status: 302, headers: { location: `/login?token=${encodeURIComponent(secret)}` }, body: '' },
    { status: 503, headers: { ...json, 'x-echo': secret }, body: JSON.stringify({ message: forms(secret) }) },
    { status: 200, headers: { 'content-type': 'text/html' }, body: html(`${'x'.repeat(200)}${secret}`) },
  ];
  let met = 0;
  env.wire.interfere(() => answers[met++ % answers.length]);
  const commit = await tagged(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => env.status(commit, 'millrace/to-test')).toMatch(/Waiting for the platform/);
  await eventually(() => met).toBeGreaterThan(2 * answers.length);
  expect(await leaks(secret)).toEqual([]);
});
