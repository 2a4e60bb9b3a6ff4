import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import { toTest } from '../../../environment/worker/lanes-at-work.ts';
import {
  createWorkerEnvironment,
  deliver,
  delivery,
} from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();

test('forged requests are a few short log lines, and a delivery between them keeps its line', async () => {
  const env = await createWorkerEnvironment({ lanes: toTest });
  const lines: string[] = [];
  const write = (message: string, fields: object = {}) =>
    void lines.push(JSON.stringify({ message, ...fields }));
  const logger = { ...silentLogger, info: write, warn: write, error: write };
  const { url, close } = await startWorker({ ...env.options(redis), logger });
  onTestFinished(async () => {
    await close();
    await env[Symbol.asyncDispose]();
  });
  const long = 'x'.repeat(6_000);
  const named = ({ headers, body }: ReturnType<typeof delivery>) => ({
    headers: { ...headers, 'x-github-delivery': long, 'x-github-event': long },
    body,
  });
  const forged = named(delivery('ping', {}, 'another secret'));
  for (let i = 0; i < 200; i += 1) expect(await deliver(url, forged)).toMatchObject({ status: 401 });
  expect(await deliver(url, delivery('ping', {}))).toMatchObject({ result: 'pong' });
  // A captured delivery has a valid signature, which does not cover the headers.
  expect(await deliver(url, named(delivery('ping', {})))).toMatchObject({ result: 'ignored' });
  const linesWith = (result: string) => lines.filter((line) => line.includes(`"${result}"`)).length;
  expect([linesWith('pong'), linesWith('ignored')]).toEqual([1, 1]);
  expect(linesWith('refused')).toBeLessThan(50);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(500);
});
