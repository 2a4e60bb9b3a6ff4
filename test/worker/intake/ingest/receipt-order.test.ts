import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import { ingestPush } from '../../../../worker/intake/ingest/ingest-push.ts';
import { createInbox } from '../../../../worker/intake/receiver/inbox.ts';
import { testRedis } from '../../../environment/redis.ts';
import { projectId, repositoryId } from '../../../environment/worker/worker-environment.ts';
import { numbersOf } from './every-version.ts';
import { createIngestContext } from './ingest-context.ts';
import { type Late, pushOf, taggedLine } from './tagged-line.ts';

const redis = testRedis();
const lanes = `
  - { name: to-test, on: { push: { tags: ["v*"] } }, from: dev, to: test, policy: every }
`;

/** Answers come after a random number of turns of the event loop. */
const lateBy =
  (random: () => number): Late =>
  async (answer) => {
    for (let turns = Math.floor(random() * 20); turns > 0; turns -= 1)
      await new Promise((resolve) => void setImmediate(resolve));
    return answer;
  };

function createWorker(prefix: string, github: GitHubPort) {
  const worker = createIngestContext(redis, prefix, github);
  return { ...worker, inbox: createInbox(worker.connection, worker.keys, worker.ports.queues) };
}

/** Two workers take the pushes in any order, several at once; one that waits is taken again at any time. */
async function ingestAll(count: number, random: () => number): Promise<readonly string[]> {
  const prefix = `{r-${randomUUID().slice(0, 8)}}`;
  const github = taggedLine(count, lanes, lateBy(random));
  const [one, other] = [createWorker(prefix, github), createWorker(prefix, github)];
  for (let i = 0; i < count; i += 1) await (random() < 0.5 ? one : other).inbox.keep(pushOf(i));
  const waiting = Array.from({ length: count }, (_, i) => pushOf(i));
  const take = async ({ context }: typeof one): Promise<void> => {
    for (;;) {
      const [event] = waiting.splice(Math.floor(random() * waiting.length), 1);
      if (event === undefined) return;
      const result = await ingestPush(event, context);
      if (result.status === 'waits') waiting.push(result.event);
      // As the queue does: the job of an ingested push has ended.
      else await one.connection.hset(one.ports.queues.ingestKey(`b-${event.digest}`), 'finishedOn', 1);
    }
  };
  await Promise.all([one, other].flatMap((worker) => [take(worker), take(worker), take(worker)]));
  const { active, waiting: queued } = (await one.ports.store.lane(
    `${repositoryId}/${projectId}/to-test`,
  )) ?? { active: undefined, waiting: [] };
  const inOrder = [active ?? '', ...queued];
  const promotions = await Promise.all(inOrder.map((id) => one.ports.store.promotion(id)));
  return promotions.map((promotion) => promotion?.version ?? '');
}

test('in any interleaving of two workers, a lane with the policy every gets each tag in the order of receipt', async () => {
  const count = 30;
  for (let seed = 1; seed <= 4; seed += 1)
    expect(await ingestAll(count, numbersOf(seed)), `seed ${seed}`).toEqual(
      Array.from({ length: count }, (_, i) => `v${i}`),
    );
});
