import { expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { inProcess } from '../../../cli/in-process.ts';
import { testRedis } from '../../../environment/redis.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import {
  deliver,
  delivery,
  repositoryId,
  repositoryName,
  createWorkerEnvironment,
} from '../../../environment/worker/worker-environment.ts';
import { laneId, loseStarts, pushed, release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import { tokens, withOperators } from './operators.ts';
import { signIn } from './browser.ts';

const redis = testRedis();

/** A worker with operators, root’s browser, command line and API. */
async function createTestEnvironment() {
  const env = await createWorkerEnvironment({ lanes: toTest });
  const worker = await startWorker({ ...env.options(redis), config: withOperators(), token: undefined });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  const api = async (path: string, body?: unknown) => {
    const response = await fetch(`${worker.url}/api/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${tokens.root}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const variables = { MILLRACE_WORKER_URL: worker.url, MILLRACE_WORKER_TOKEN: tokens.root };
  return {
    env,
    worker,
    ...(await signIn(worker.url, tokens.root)),
    api,
    cli: (...args: string[]) => inProcess(args, { env: variables }),
  };
}

/** The words of a page, without its tags. */
const words = (page: string): string => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

/** A lane that the worker itself has held, because it is unknown whether its execution was started. */
async function heldByTheWorker() {
  const setup = await createTestEnvironment();
  const { env, worker } = setup;
  await release(env, 'v1.0.0');
  loseStarts(env);
  await pushed(env, worker, 'v1.0.0');
  let id = '';
  await eventually(async () => {
    const { promotions } = JSON.parse((await setup.api('promotions')).text) as {
      promotions: { id: string; outcome: string }[];
    };
    id = promotions[0]?.id ?? '';
    return promotions[0]?.outcome;
  }).toBe('indeterminate');
  env.wire.interfere(undefined);
  return { ...setup, id };
}

test('each action shows the actor and the entrance: dashboard, command line, API or the worker', async () => {
  const { see, api, cli, act } = await heldByTheWorker();
  const place = `/lanes/${laneId('to-test')}`;
  expect((await act(`${place}/hold`, { reason: 'by browser' })).status).toBe(303);
  expect((await cli('hold', 'to-test', '--reason', 'by command')).code).toBe(0);
  expect((await api(`lanes/${laneId('to-test')}/hold`, { reason: 'by program' })).status).toBe(200);
  const audit = words(await see('/audit'));
  const lane = words(await see(place));
  expect(audit).toMatch(/root via dashboard hold to-test example\/warehouse by browser/);
  expect(audit).toMatch(/root via command line hold to-test example\/warehouse by command/);
  expect(audit).toMatch(/root via API hold to-test example\/warehouse by program/);
  expect(lane).toMatch(/UTC person held (?:(?!UTC).)*by: root via dashboard/);
  expect(lane).toMatch(/UTC person held (?:(?!UTC).)*by: root via command line/);
  expect(lane).toMatch(/UTC worker held (?:(?!UTC).)*by: the worker/);
  expect(lane).not.toMatch(/UTC person held (?:(?!UTC).)*by: the worker/);
  const { entries } = JSON.parse((await api('audit')).text) as { entries: { via: string }[] };
  expect(entries.map(({ via }) => via)).toEqual(['api', 'command-line', 'dashboard']);
  expect((await cli('lanes', 'to-test')).stdout).toMatch(/held .*by root, .*via dashboard/);
});

test('a cancelled promotion shows the actor and the entrance in its timeline and in the audit', async () => {
  const { cli, act, see, env, worker } = await heldByTheWorker();
  await release(env, 'v1.1.0');
  await pushed(env, worker, 'v1.1.0');
  const shown = async () => (await cli('promotions', '--json')).stdout;
  await eventually(shown).toContain('v1.1.0');
  const { promotions } = JSON.parse(await shown()) as { promotions: { id: string; version: string }[] };
  const id = promotions.find(({ version }) => version === 'v1.1.0')?.id ?? '';
  expect((await act(`/promotions/${id}/cancel`, {})).status).toBe(303);
  expect(words(await see(`/promotions/${id}`))).toMatch(/UTC person cancelled by: root via dashboard/);
  expect(words(await see('/audit'))).toMatch(/root via dashboard cancel/);
});

test('no answer of the API and no page shows a time as a number', async () => {
  const { id, see, api, act, cli } = await heldByTheWorker();
  const place = `/lanes/${laneId('to-test')}`;
  await act(`${place}/hold`, { reason: 'x' });
  const raw = /(?<![\d-])1[6-9]\d{11}(?![\d-])/;
  for (const path of [
    'lanes',
    `lanes/${laneId('to-test')}`,
    'promotions',
    `promotions/${id}`,
    'audit',
    'deliveries',
    'dead-letters',
  ])
    expect((await api(path)).text, path).not.toMatch(raw);
  for (const path of [
    '/',
    place,
    `${place}/resume`,
    '/promotions',
    `/promotions/${id}`,
    '/audit',
    '/deliveries',
    '/dead-letters',
  ])
    expect(words(await see(path)), path).not.toMatch(raw);
  for (const args of [
    ['lanes', 'to-test'],
    ['promotions', id],
    ['lanes', '--json'],
    ['promotions', id, '--json'],
  ])
    expect((await cli(...args)).stdout, args.join(' ')).not.toMatch(raw);
  const { body } = {
    body: JSON.parse((await api(`lanes/${laneId('to-test')}`)).text) as Record<string, unknown>,
  };
  const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(body).toMatchObject({
    holds: [{ since: iso }, { since: iso }],
    history: expect.arrayContaining([expect.objectContaining({ at: iso })]),
  });
});

test('a delivery shows its repository and its ref, a comment its pull request; an unsigned one shows neither', async () => {
  const { env, worker, see, api } = await createTestEnvironment();
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  const repository = { id: repositoryId, full_name: repositoryName };
  const comment = delivery('issue_comment', {
    action: 'created',
    repository,
    issue: { number: 7, pull_request: {} },
    comment: {
      id: 9,
      body: '/millrace approve',
      created_at: new Date().toISOString(),
      user: { login: 'ada', id: 2, type: 'User' },
    },
    sender: { login: 'ada', id: 2, type: 'User' },
  });
  await deliver(worker.url, comment);
  expect(await see('/deliveries')).not.toContain('the signature does not fit');
  const forged = delivery('push', { ref: 'refs/heads/forged', repository }, 'another secret');
  expect(await deliver(worker.url, forged)).toMatchObject({ status: 401 });
  await eventually(() => see('/deliveries')).toMatch(/refused/);
  const page = words(await see('/deliveries'));
  expect(page).toContain(`${repositoryName} v1.0.0`);
  expect(page).toContain(`${repositoryName} #7`);
  expect(page).not.toContain('forged');
  expect(page).toContain('the signature does not fit the secret of the worker');
  const { deliveries } = JSON.parse((await api('deliveries')).text) as { deliveries: object[] };
  expect(deliveries).toEqual([
    expect.objectContaining({ repository: null, ref: null, pull: null, result: 'refused' }),
    expect.objectContaining({ repository: repositoryName, ref: null, pull: 7 }),
    expect.objectContaining({ repository: repositoryName, ref: 'refs/tags/v1.0.0', pull: null }),
  ]);
});

test('an unknown page is HTML with status 404 and the navigation; the API and the webhook stay JSON', async () => {
  const { open } = await createTestEnvironment();
  for (const path of ['/nonsense', '/lanes/a/b/c', '/promotions/x/nonsense', '/%zz']) {
    const answer = await open(path);
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')], path).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    expect(text, path).toMatch(/<nav aria-label="Pages">[\s\S]*href="\/audit"/);
  }
  const stranger = await open('/nonsense', {});
  expect([stranger.status, await stranger.text()]).toEqual([404, expect.stringContaining('<a href="/">')]);
  for (const path of ['/api', '/api/nonsense', '/webhooks/nonsense']) {
    const answer = await open(path);
    expect(answer.headers.get('content-type'), path).toMatch(/^application\/json/);
    expect(answer.status, path).toBe(404);
  }
});
