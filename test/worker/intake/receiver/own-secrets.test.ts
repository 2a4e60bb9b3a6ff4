import { expect, onTestFinished, test } from 'vitest';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import {
  createWorkerEnvironment,
  deliver,
  delivery,
  repositoryId,
  webhookSecret,
  workerFile,
} from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();
const otherId = 78;
const thirdId = 79;

/** A worker for three repositories; two of them have secrets of their own. Gives what delivers a push. */
async function createTestEnvironment() {
  const env = await createWorkerEnvironment({ lanes: '  []' });
  const one = workerFile();
  const entry = one.slice(one.indexOf('  - id:'));
  const file = `${one}${[otherId, thirdId].map((id) => entry.replace(`${repositoryId}`, `${id}`)).join('')}`;
  const worker = await startWorker({
    ...env.options(redis),
    config: readWorkerConfig(file, 'worker.yaml'),
    repositorySecrets: () =>
      new Map([
        [repositoryId, ['own-new', 'own-old']],
        [otherId, ['of-another']],
      ]),
  });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  let n = 0;
  const send = async (
    event: string,
    id: number | undefined,
    secret: string,
    headers: Record<string, string> = {},
    extra: object = {},
  ): Promise<number> => {
    n += 1;
    const repository = id === undefined ? {} : { repository: { id, full_name: 'example/warehouse' } };
    const push = { ref: `refs/tags/v${n}`, before: '0'.repeat(40), after: 'a'.repeat(40), created: true };
    const body = { ...push, deleted: false, forced: false, sender: { id: 1, login: 'octocat' } };
    const signed = delivery(event, { ...body, ...repository, ...extra }, secret);
    return (await deliver(worker.url, { ...signed, headers: { ...signed.headers, ...headers } })).status;
  };
  return { send };
}

const fromHook = (id: number) => ({
  'x-github-hook-installation-target-type': 'repository',
  'x-github-hook-installation-target-id': String(id),
});

test('a repository with secrets of its own accepts only pushes that were signed with one of them', async () => {
  const { send } = await createTestEnvironment();
  expect(await send('push', repositoryId, 'own-new')).toBe(202);
  expect(await send('push', repositoryId, 'own-old')).toBe(202);
  expect(await send('push', repositoryId, webhookSecret)).toBe(401);
  expect(await send('push', repositoryId, 'of-another')).toBe(401);
});

test('a secret of one repository signs nothing for a repository without one, and no body without a repository', async () => {
  const { send } = await createTestEnvironment();
  expect(await send('push', thirdId, webhookSecret)).toBe(202);
  expect(await send('push', thirdId, 'own-new')).toBe(401);
  expect(await send('ping', undefined, webhookSecret)).toBe(200);
  expect(await send('ping', undefined, 'own-new')).toBe(401);
  expect(await send('ping', repositoryId, 'own-new')).toBe(200);
});

test('headers that name a repository accept nothing that the body’s repository does not', async () => {
  const { send } = await createTestEnvironment();
  expect(await send('push', repositoryId, 'own-new', fromHook(repositoryId))).toBe(202);
  expect(await send('push', repositoryId, 'of-another', fromHook(otherId))).toBe(401);
  expect(await send('push', repositoryId, webhookSecret, fromHook(thirdId))).toBe(401);
  expect(await send('push', repositoryId, 'own-new', fromHook(otherId))).toBe(401);
});

test('a large body is accepted only with its repository’s secret too', async () => {
  const { send } = await createTestEnvironment();
  const large = { commits: ['x'.repeat(1_100_000)] };
  expect(await send('push', repositoryId, 'own-new', {}, large)).toBe(202);
  expect(await send('push', repositoryId, 'of-another', {}, large)).toBe(401);
});
