import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { createDeadLetters } from '../../../../worker/store/jobs/dead-letters.ts';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import {
  ended,
  laneId,
  loseStart,
  resumeLane,
  pushed,
  release,
  toTest,
} from '../../../environment/worker/lanes-at-work.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import {
  askWorker,
  projectId,
  createWorkerEnvironment,
  workerToken,
} from '../../../environment/worker/worker-environment.ts';
import { signIn } from './browser.ts';

const redis = testRedis();

/** A worker at work, and its own token’s session. */
async function createTestEnvironment() {
  const env = await createWorkerEnvironment({ lanes: toTest });
  const options = env.options(redis);
  const worker = await startWorker({ ...options, settings: { ...options.settings, liveTickMs: 50 } });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  return { env, worker, ...(await signIn(worker.url, workerToken)) };
}

test('an indeterminate promotion is resolved with the form of its step, as a browser sends it', async () => {
  const { env, worker, see, act } = await createTestEnvironment();
  await release(env, 'v1.0.0');
  const { id } = await loseStart(env, worker, 'v1.0.0');
  expect(await see('/')).toContain('on hold');
  expect(await see(`/promotions/${id}`)).toContain('Recorded before the call');
  expect(await see(`/promotions/${id}/resolve`)).toMatch(/No, nothing was started[\s\S]*name="executionId"/);
  expect((await act(`/promotions/${id}/resolve`, { executionId: '', reason: '' })).status).toBe(400);
  const [started] = env.platform.ledger({ operation: 'executions.start' });
  const response = await act(`/promotions/${id}/resolve`, {
    executionId: started?.subject.id ?? '',
    reason: 'by its tag',
  });
  // Then how far the answer is on a disk.
  expect(response.headers.get('location')).toMatch(
    new RegExp(`^/promotions/${id}\\?did=resolve(?:&kept=no)?$`),
  );
  await eventually(() => see(`/promotions/${id}`)).toContain('passed</span>');
  await eventually(() => see('/')).toContain('up to date');
});

test('an older version is promoted with the form of its lane', async () => {
  const { env, worker, see, act } = await createTestEnvironment();
  for (const version of ['v1.0.0', 'v1.1.0']) {
    await release(env, version);
    await pushed(env, worker, version);
    await ended(worker, 'to-test', version);
  }
  const path = `/lanes/${laneId('to-test')}/promote`;
  // The page offers the versions, and says of each what it does.
  expect(await see(path)).toMatch(
    /value="v1.0.0"[\s\S]*verified<\/span>[\s\S]*v1.0.0 becomes live in test: v1.1.0 is disabled\./,
  );
  expect(await see(`/lanes/${laneId('to-test')}/roll-back`)).toMatch(
    /<b>v1.0.0<\/b> becomes live in test: v1.1.0\s+is disabled\.[\s\S]*value="v1.0.0"\s+checked/,
  );
  expect(await see(`/lanes/${laneId('to-test')}`)).toContain('Promote a version');
  const refused = await act(path, { version: 'v9', anyVersion: 'yes', reason: 'bad figures' });
  const again = await refused.text();
  expect([refused.status, again]).toEqual([409, expect.stringContaining('v9 is not in dev')]);
  // What the person had entered is still there.
  expect(again).toMatch(/value="v9"[\s\S]*name="anyVersion"\s+value="yes"\s+checked[\s\S]*bad figures/);
  const done = await act(path, { version: 'v1.0.0', reason: 'bad figures' });
  expect(done.status).toBe(303);
  const shown = done.headers.get('location') ?? '';
  await eventually(() => see(shown)).toContain('v1.0.0 is in test, verified by 1 execution');
  expect(await see(shown)).toContain('worker-token: bad figures');
  expect(await env.versions('test')).toEqual(['!v1.1.0', 'v1.0.0']);
});

test('an admin pauses and resumes with the forms of the dashboard, and every page of a lane shows the pause', async () => {
  const { env, worker, see, act } = await createTestEnvironment();
  await release(env, 'v1.0.0');
  expect(await see('/')).toContain('href="/pause"');
  const form = await see('/pause');
  expect(form).toMatch(/All repositories[\s\S]*example\/warehouse[\s\S]*All environments[\s\S]*>test</);
  expect((await act('/pause', { reason: '', repository: '', environment: '' })).status).toBe(400);
  const done = await act('/pause', { reason: 'platform upgrade', repository: '', environment: 'test' });
  expect(done.headers.get('location')).toMatch(/^\/\?did=pause(?:&kept=no)?$/);
  expect(await see('/?did=pause&kept=no')).toContain('It is in force, but neither Redis nor a journal');
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => see('/')).toContain('paused</span>');
  const overview = await see('/');
  expect(overview).toMatch(
    /Paused<\/b> \(all lanes to test\): platform upgrade[\s\S]*worker-token via dashboard/,
  );
  expect(await see(`/lanes/${laneId('to-test')}`)).toContain('(all lanes to test): platform upgrade');
  const [, place = ''] = /href="(\/pauses\/[\d-]+\/resume)"/.exec(overview) ?? [];
  expect(await see(place)).toContain('platform upgrade');
  expect((await act(place, { reason: 'done' })).headers.get('location')).toMatch(
    /^\/\?did=resume-pause(?:&kept=no)?$/,
  );
  expect(await see('/?did=resume-pause')).toContain('The pause has ended.');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect((await see('/')).includes('Paused')).toBe(false);
});

test('lanes are resumed together: filter, preview, confirmation and result', async () => {
  const { env, worker, see, act } = await createTestEnvironment();
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  await act(`/lanes/${laneId('to-test')}/hold`, { reason: 'month end' });
  expect(await see('/')).toContain('href="/bulk/resume"');
  expect(await see('/bulk/resume?environment=test&lane=&since=&cause=state-lost')).toContain(
    'Nothing matches these filters.',
  );
  expect(await see('/bulk/resume?since=soon')).toContain('ISO 8601');
  const shown = await see('/bulk/resume?environment=test&lane=to-test&since=&cause=manual');
  expect(shown).toMatch(/to-test<\/a>[\s\S]*month end[\s\S]*Resume these 1</);
  expect(shown).not.toContain('data-live');
  const [, fingerprint = ''] = /name="fingerprint" value="([^"]+)"/.exec(shown) ?? [];
  expect((await act('/bulk/resume', { csrf: 'x', fingerprint, reason: '' })).status).toBe(403);
  const unknown = await act('/bulk/resume', { fingerprint: 'x', reason: '' });
  expect([unknown.status, await unknown.text()]).toEqual([
    409,
    expect.stringContaining('the worker does not know this preview'),
  ]);
  const done = await act('/bulk/resume', { fingerprint, reason: 'closed' });
  expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('Resume: 1 done')]);
  expect(await see('/')).not.toContain('on hold');
  for (const action of ['resolve', 'retry'])
    expect(await see(`/bulk/${action}`)).toContain('Nothing matches these filters.');
});

test('a dead letter is replayed from its page and disappears from the list', async () => {
  const { env, see, act } = await createTestEnvironment();
  const letters = createDeadLetters(redis.connect(), env.prefix, systemClock);
  const data = { digest: 'x', repositoryId: 77, repositoryName: 'example/warehouse', ref: 'refs/heads/main' };
  await letters.add({ id: 'ingest-1', queue: 'ingest', kind: 'exhausted', cause: '<b>no answer</b>', data });
  await letters.add({
    id: 'promotion-1',
    queue: 'promotion',
    kind: 'poison',
    cause: 'it ended six workers',
    data: { promotionId: 'gone-1' },
  });
  const listed = await see('/dead-letters');
  expect(listed).toContain('&#60;b&#62;no answer&#60;/b&#62;');
  for (const page of [listed, await see('/dead-letters/ingest-1/replay')])
    expect(page).toContain('example/warehouse main');
  expect(listed).toMatch(/<a href="\/promotions\/gone-1">/);
  const refused = await act('/dead-letters/promotion-1/replay', {});
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining('the promotion of the job no longer exists'),
  ]);
  expect((await act('/dead-letters/ingest-1/replay', {})).headers.get('location')).toBe(
    '/dead-letters?did=replay',
  );
  const left = await see('/dead-letters');
  expect(left).toContain('promotion-1');
  expect(left).not.toContain('ingest-1');
});

test('the page of an action on a subject that does not exist is not found, also for a form', async () => {
  const { env, worker, see, open, act } = await createTestEnvironment();
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  const unknown = [
    ...['approve', 'reject', 'override-freeze', 'resolve', 'retry', 'cancel'].map(
      (name) => `/promotions/none/${name}`,
    ),
    ...['refresh', 'hold', 'resume', 'promote', 'roll-back'].map((name) => `/lanes/none/${name}`),
    '/pauses/none/resume',
    '/dead-letters/none/replay',
  ];
  for (const path of unknown) {
    const shown = await open(path);
    const text = await shown.text();
    expect([path, shown.status, /<h1>(.+?)<\/h1>/.exec(text)?.[1]]).toEqual([path, 404, 'Not found']);
    expect(text).not.toContain('class="ask"');
  }
  // A page that was open while its subject disappeared.
  const letters = createDeadLetters(redis.connect(), env.prefix, systemClock);
  const data = { digest: 'x', repositoryId: 77, repositoryName: 'example/warehouse', ref: 'refs/heads/main' };
  await letters.add({ id: 'ingest-2', queue: 'ingest', kind: 'exhausted', cause: 'no answer', data });
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(await see('/dead-letters/ingest-2/replay')) ?? [];
  const late = await act('/dead-letters/none/replay', { csrf });
  expect([late.status, await late.text()]).toEqual([404, expect.stringContaining('All lanes')]);
});

test('an indeterminate lane with a queued promotion links the resolving of the one that holds it', async () => {
  const { env, worker, see, act } = await createTestEnvironment();
  await release(env, 'v1.0.0');
  const { id } = await loseStart(env, worker, 'v1.0.0');
  await release(env, 'v1.1.0');
  await pushed(env, worker, 'v1.1.0');
  await eventually(() => see('/')).toContain('1 promotion waits');
  for (const page of ['/', `/lanes/${encodeURIComponent(`77/${projectId}/to-test`)}`]) {
    const text = await see(page);
    expect(text).toMatch(new RegExp(`class="act resolve" href="/promotions/${id}/resolve"`));
    expect(text).toMatch(new RegExp(`<a href="/promotions/${id}"\\s*>v1.0.0</a\\s*>\\s*is indeterminate`));
  }
  const refused = await act(`/promotions/${id}/resolve`, { executionId: 'bogus', reason: '' });
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining('the platform does not know execution bogus'),
  ]);
  expect(await see(`/promotions/${id}`)).toContain('indeterminate</span>');
});

test('an indeterminate promotion older than the verified one is not offered for resolving, with a reason', async () => {
  const { env, worker, see, act } = await createTestEnvironment();
  await release(env, 'v1.0.0');
  const { id } = await loseStart(env, worker, 'v1.0.0');
  await release(env, 'v1.1.0');
  await pushed(env, worker, 'v1.1.0');
  await resumeLane(worker, 'to-test');
  expect(await ended(worker, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'passed' });
  for (const page of ['/', '/promotions', `/promotions/${id}`, `/lanes/${laneId('to-test')}`])
    expect(await see(page), page).not.toContain(`/promotions/${id}/resolve`);
  const refused = await act(`/promotions/${id}/resolve`, { happened: 'no', reason: '' });
  const reason = 'a newer version has been verified in the lane since';
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining(reason)]);
  const preview = await askWorker(worker.url, `promotions/${id}/resolve?happened=false`);
  expect(preview).toMatchObject({ status: 409, body: { error: expect.stringContaining(reason) } });
});
