import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { Failure } from '../../../../lib/core/errors/failure.ts';
import { createMatchedPushes, type MatchedPush } from '../../../../worker/intake/ingest/matched-pushes.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { testRedis } from '../../../environment/redis.ts';
import { repositoryId, repositoryName, workerFile } from '../../../environment/worker/worker-environment.ts';
import { pushOf } from './tagged-line.ts';

const redis = testRedis();

function createTwo() {
  const keys = keysUnder(`{p-${randomUUID().slice(0, 8)}}`);
  const connection = redis.connect();
  const open = () => createMatchedPushes(connection, keys);
  return { connection, key: keys.matched(waiting.digest, 1), one: open(), other: open() };
}

const config = () => readWorkerConfig(workerFile(), 'worker.yaml');
const waiting = { ...pushOf(1), waits: { turnSince: 1 } };
const task: MatchedPush = {
  repository: { id: repositoryId, fullName: repositoryName, defaultBranch: 'main' },
  head: 'a'.repeat(40),
  matched: [],
  refusal: new Failure('config-invalid', {
    message: 'wrong',
    where: { file: 'millrace.yaml', line: 2 },
    hint: 'Repair it.',
  }),
  seqs: [3],
};

test('another worker gets what one has matched, once and with its refusal', async () => {
  const { one, other } = createTwo();
  await one.keep(waiting, task, config());
  const taken = await other.take(waiting, config());
  expect(taken).toEqual(task);
  expect(taken?.refusal).toMatchObject({ code: 'config-invalid', where: { line: 2 }, hint: 'Repair it.' });
  expect(await one.take(waiting, config())).toBeUndefined();
});

test('a push that waits again is not the one that was matched', async () => {
  const { one } = createTwo();
  await one.keep(waiting, task, config());
  expect(await one.take({ ...waiting, waits: { turnSince: 2 } }, config())).toBeUndefined();
  expect(await one.take(pushOf(1), config())).toBeUndefined();
});

test('what was matched is forgotten after a minute, also if nobody takes it', async () => {
  const { one, connection, key } = createTwo();
  await one.keep(waiting, task, config());
  const ms = await connection.pttl(key);
  expect(ms).toBeGreaterThan(0);
  expect(ms).toBeLessThanOrEqual(60_000);
});
