import { createRequire } from 'node:module';
import { expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import { toTest } from '../../../environment/worker/lanes-at-work.ts';
import {
  deliver,
  delivery,
  repositoryId,
  createWorkerEnvironment,
} from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();

const examples = createRequire(import.meta.url)(
  '@octokit/webhooks-examples/api.github.com/index.json',
) as readonly { name: string; examples: readonly Record<string, unknown>[] }[];

/** What becomes of each payload that GitHub’s own collection has, were it of a repository that is served. */
const fates: Readonly<Record<string, readonly string[]>> = {
  ping: ['pong', 'pong', 'pong', 'pong'],
  create: Array<string>(5).fill('ignored'),
  delete: Array<string>(4).fill('ignored'),
  deployment: Array<string>(4).fill('ignored'),
  // None of them holds a command.
  issue_comment: Array<string>(9).fill('ignored'),
  // Of refs that are there, and of refs that are gone.
  push: ['accepted', 'ignored', 'ignored', 'ignored', 'accepted', 'accepted', 'ignored'],
};

test('every real payload of six events, signed, has its fate, crashes nothing, and the second time does nothing', async () => {
  const env = await createWorkerEnvironment({ lanes: toTest });
  const worker = await startWorker(env.options(redis));
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  const seen: string[] = [];
  for (const { name, examples: payloads } of examples.filter((entry) => entry.name in fates)) {
    for (const [index, payload] of payloads.entries()) {
      const ours = { ...payload, repository: { ...(payload['repository'] as object), id: repositoryId } };
      const sent = delivery(name, ours);
      const result = fates[name]?.[index] ?? 'not in the table';
      expect(await deliver(worker.url, sent), `${name} ${index}`).toMatchObject({ result });
      const again = result === 'accepted' ? 'duplicate' : result;
      expect(await deliver(worker.url, sent), `${name} ${index} again`).toMatchObject({ result: again });
      // Under the name of a push, a body of another event is none.
      const other = await deliver(worker.url, delivery('push', { ...ours, differs: true }));
      if (name !== 'push') expect(other).toMatchObject({ status: 200, result: 'ignored' });
      seen.push(`${name} ${result}`);
    }
  }
  expect(seen.length).toBe(33);
  expect(seen.filter((line) => line === 'push accepted').length).toBe(3);
  expect((await fetch(`${worker.url}/livez`)).status).toBe(200);
});
