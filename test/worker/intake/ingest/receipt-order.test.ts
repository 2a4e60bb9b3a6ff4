import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../lib/core/system-clock.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../../lib/github/github-access.ts';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import { ingestPush } from '../../../../worker/intake/ingest/ingest-push.ts';
import { createInbox } from '../../../../worker/intake/receiver/inbox.ts';
import type { PushEvent } from '../../../../worker/records/push-event.ts';
import { testRedis } from '../../../environment/redis.ts';
import {
  projectFile,
  projectId,
  repositoryId,
  repositoryName,
} from '../../../environment/worker/worker-environment.ts';
import { numbersOf } from './every-version.ts';
import { createIngestContext } from './ingest-context.ts';

const redis = testRedis();
const lanes = `
  - { name: to-test, on: { push: { tags: ["v*"] } }, from: dev, to: test, policy: every }
`;
const commitOf = (i: number): string => createHash('sha1').update(`commit ${i}`).digest('hex');
const indexOf = (commit: string, count: number): number =>
  Array.from({ length: count }, (_, i) => commitOf(i)).indexOf(commit);

/** A line of commits with a tag on each; its answers come after a random number of turns of the event loop. */
function taggedLine(count: number, random: () => number): GitHubPort {
  const elsewhere = createGitHubPort({
    apiUrl: 'http://127.0.0.1:1',
    access: tokenAccess(() => ''),
    clock: systemClock,
  });
  const late = async <T>(answer: T): Promise<T> => {
    for (let turns = Math.floor(random() * 20); turns > 0; turns -= 1)
      await new Promise((resolve) => void setImmediate(resolve));
    return answer;
  };
  return {
    ...elsewhere,
    repository: async () => late({ id: repositoryId, fullName: repositoryName, defaultBranch: 'main' }),
    head: async (_, ref) => late(commitOf(Number(ref.slice('refs/tags/v'.length)))),
    textAt: async () => late(projectFile(lanes)),
    parentOf: async (_, commit) => late(commitOf(indexOf(commit, count) - 1)),
    branches: async () => late([{ name: 'main', commit: commitOf(count - 1) }]),
    tags: async () => late([]),
    relation: async (_, base, commit) => {
      const difference = indexOf(commit, count) - indexOf(base, count);
      return late(difference === 0 ? 'identical' : difference > 0 ? 'ahead' : 'behind');
    },
  };
}

const pushOf = (i: number): PushEvent => ({
  repositoryId,
  repositoryName,
  ref: `refs/tags/v${i}`,
  before: '0'.repeat(40),
  after: commitOf(i),
  created: true,
  deleted: false,
  forced: false,
  sender: 'octocat',
  delivery: `d-${i}`,
  digest: createHash('sha256').update(`body ${i}`).digest('hex'),
  receivedAt: Date.now(),
});

function createWorker(prefix: string, github: GitHubPort) {
  const worker = createIngestContext(redis, prefix, github);
  return { ...worker, inbox: createInbox(worker.connection, worker.keys, worker.engine.queues) };
}

/** Two workers take the pushes in any order, several at once; one that waits is taken again at any time. */
async function ingestAll(count: number, random: () => number): Promise<readonly string[]> {
  const prefix = `{r-${randomUUID().slice(0, 8)}}`;
  const github = taggedLine(count, random);
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
      else await one.connection.hset(one.engine.queues.ingestKey(`b-${event.digest}`), 'finishedOn', 1);
    }
  };
  await Promise.all([one, other].flatMap((worker) => [take(worker), take(worker), take(worker)]));
  const { active, waiting: queued } = (await one.engine.store.lane(
    `${repositoryId}/${projectId}/to-test`,
  )) ?? { active: undefined, waiting: [] };
  const inOrder = [active ?? '', ...queued];
  const promotions = await Promise.all(inOrder.map((id) => one.engine.store.promotion(id)));
  return promotions.map((promotion) => promotion?.version ?? '');
}

test('in any interleaving of two workers, a lane with the policy every gets each tag in the order of receipt', async () => {
  const count = 30;
  for (let seed = 1; seed <= 4; seed += 1)
    expect(await ingestAll(count, numbersOf(seed)), `seed ${seed}`).toEqual(
      Array.from({ length: count }, (_, i) => `v${i}`),
    );
});
