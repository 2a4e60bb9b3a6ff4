import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { shortWaits } from '../../environment/clock.ts';
import { testRedis } from '../../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  pushed,
  release,
  toTest,
} from '../../environment/worker/lanes-at-work.ts';
import { workerToken } from '../../environment/worker/worker-environment.ts';
import { startWatched } from '../watched-run.ts';

const redis = testRedis();

function watching(url: string, line: string) {
  const env = { MILLRACE_WORKER_URL: url, MILLRACE_WORKER_TOKEN: workerToken };
  const run = startWatched(line.split(' '), process.cwd(), { env, clock: shortWaits });
  onTestFinished(async () => {
    await run.stop();
  });
  return run;
}

test('`lanes --watch` and `promotions --follow` print each change until Ctrl-C', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  const lanes = watching(worker.url, 'lanes --watch');
  const json = watching(worker.url, 'lanes --watch --json');
  const promotions = watching(worker.url, 'promotions --follow');
  await lanes.next(/^No lanes yet: .*\nTIME +LANE +REPOSITORY +LIVE +VERIFIED +WANTED +QUEUED +STATE\n/);
  await promotions.next(/^TIME +PROMOTION +LANE +VERSION +STATE +CREATED +STATUS\n/);
  await pushed(env, worker, 'v1.0.0');
  await lanes.next(/\n?\S+Z +to-test +example\/warehouse .*\n/);
  await promotions.next(/^\S+Z +\S+ +to-test .*\n/);
  const { id } = await ended(worker, 'to-test', 'v1.0.0');
  await promotions.next(/\S+Z +\S+ +to-test +v1\.0\.0 +passed .*\n/);
  await lanes.next(/\S+Z +to-test +example\/warehouse +not known +v1\.0\.0 +v1\.0\.0 +0 +idle\n/);
  const lines = (await json.next(/"verified":\{"version":"v1\.0\.0".*\n/)).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toContain('to-test');
  expect(await Promise.all([lanes.stop(), json.stop(), promotions.stop()])).toEqual([0, 0, 0]);
  // Nothing changed after the last row that was expected.
  expect(lanes.rest()).toBe('');

  const one = watching(worker.url, `promotions ${id} --follow`);
  const history = await one.next(/ ended +passed\n/);
  expect(history).toMatch(/^\S+: v1\.0\.0 through \S+: passed\n(.*\n)*TIME +EVENT +DETAILS\n\S+Z +accepted /);
  expect(await one.stop()).toBe(0);
});

test('a watch survives a worker that does not answer for a while, and names a lane that is gone', async () => {
  const lane = { id: '1/to-test', name: 'to-test', waiting: [], holds: [] };
  const answers = [
    { status: 200, body: { lanes: [lane] } },
    { status: 503, body: { error: 'Redis is not there' } },
    { status: 503, body: { error: 'Redis is not there' } },
    { status: 200, body: { lanes: [] } },
    { status: 401, body: { error: 'the token is wrong' } },
  ];
  const server = createServer((_, response) => {
    const { status, body } = answers.shift() ?? { status: 500, body: {} };
    response.writeHead(status).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const run = watching(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'lanes --watch');
  await run.next(/\S+Z +to-test +not known +– +– +0 +idle\n/);
  await run.next(/^warning: The worker refused: Redis is not there\. Asking again until it answers\.\n/);
  await run.next(/^warning: The worker answers again\.\n/);
  await run.next(/^No lanes yet.*\n\S+Z +to-test .*the worker no longer has this lane\n/);
  await run.next(/^error: The worker refused: the token is wrong\./);
  expect(await run.stop()).toBe(2);
});
