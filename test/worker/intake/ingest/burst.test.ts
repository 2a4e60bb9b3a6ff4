import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import { type IngestContext, ingestPush } from '../../../../worker/intake/ingest/ingest-push.ts';
import { createInbox } from '../../../../worker/intake/receiver/inbox.ts';
import type { IngestResult } from '../../../../worker/records/ingest-result.ts';
import type { PushEvent } from '../../../../worker/records/push-event.ts';
import { testRedis } from '../../../environment/redis.ts';
import { workerFile } from '../../../environment/worker/worker-environment.ts';
import { createIngestContext } from './ingest-context.ts';
import { pushOf, taggedLine } from './tagged-line.ts';

const redis = testRedis();
const count = 20;
const lanes = (policy: 'latest' | 'every') => `
  - { name: to-test, on: { push: { tags: ["v*"] } }, from: dev, to: test, policy: ${policy} }
`;

/** Two workers, tags that were received in order, and a GitHub that counts the reads of each and answers all at the same time. */
async function createBurst(policy: 'latest' | 'every') {
  const reads = new Map<string, number>();
  let arrived = 0;
  const gate = Promise.withResolvers<void>();
  const line = taggedLine(count, lanes(policy), async (answer) => answer);
  const github: GitHubPort = {
    ...line,
    async head(name, ref) {
      const read = (reads.get(ref) ?? 0) + 1;
      reads.set(ref, read);
      // The last read before a push is accepted: when all have reached it, they continue together.
      if (read === 2 && (arrived += 1) === count) gate.resolve();
      if (read === 2) await gate.promise;
      return line.head(name, ref);
    },
  };
  const prefix = `{b-${randomUUID().slice(0, 8)}}`;
  const worker = createIngestContext(redis, prefix, github);
  const other = (file = workerFile()) =>
    createIngestContext(redis, prefix, github, { config: readWorkerConfig(file, 'worker.yaml') }).context;
  const inbox = createInbox(worker.connection, worker.keys, worker.ports.queues);
  const pushes = Array.from({ length: count }, (_, i) => pushOf(i));
  for (const push of pushes) await inbox.keep(push);
  return { ...worker, other, pushes, readsOfHeads: () => [...reads.values()].reduce((a, b) => a + b) };
}

const ingested = { status: 'done', text: 'accepted by 1 of 1 lanes' };

test('of pushes that reach one lane at the same time, none reads its head again because of the others', async () => {
  const { pushes, context, readsOfHeads } = await createBurst('latest');
  const results = await Promise.all(pushes.map((push) => ingestPush(push, context)));
  expect(results.filter(({ status }) => status === 'done')).toHaveLength(count);
  expect(readsOfHeads()).toBe(2 * count);
});

type Burst = Awaited<ReturnType<typeof createBurst>>;

/** Lets one worker begin with all pushes, then another one continue with those that wait, until all are ingested. */
async function ingestInTurn(
  { pushes, connection, ports, context }: Burst,
  next: IngestContext,
): Promise<readonly IngestResult[]> {
  const take = async (event: PushEvent, worker: IngestContext): Promise<IngestResult> => {
    const result = await ingestPush(event, worker);
    // As the queue does: the job of an ingested push has ended.
    if (result.status === 'done')
      await connection.hset(ports.queues.ingestKey(`b-${event.digest}`), 'finishedOn', 1);
    return result;
  };
  let results = await Promise.all(pushes.map((push) => take(push, context)));
  for (let round = 0; round < count && results.some(({ status }) => status === 'waits'); round += 1) {
    const later: IngestResult[] = [];
    for (const one of results) later.push(one.status === 'waits' ? await take(one.event, next) : one);
    results = later;
  }
  return results;
}

test('a push that has waited for its turn is accepted without another read', async () => {
  const burst = await createBurst('every');
  expect(await ingestInTurn(burst, burst.context)).toEqual(burst.pushes.map(() => ingested));
  expect(burst.readsOfHeads()).toBe(2 * count);
});

test('so it is if another worker gets its turn', async () => {
  const burst = await createBurst('every');
  expect(await ingestInTurn(burst, burst.other())).toEqual(burst.pushes.map(() => ingested));
  expect(burst.readsOfHeads()).toBe(2 * count);
});

test('a push that has waited for its turn is matched again by a worker with another worker.yaml', async () => {
  const burst = await createBurst('every');
  const [first, ...others] = await ingestInTurn(burst, burst.other(workerFile(undefined, ['prod'])));
  expect(first).toEqual(ingested);
  expect(others.map((one) => one.status === 'done' && one.noPromotion)).toEqual(others.map(() => 'refused'));
});
