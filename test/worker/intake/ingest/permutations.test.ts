import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../../lib/github/access/github-access.ts';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import { ingestPush } from '../../../../worker/intake/ingest/ingest-push.ts';
import { reducePush } from '../../../../worker/records/push-event.ts';
import { sweepHeads } from '../../../../worker/intake/sweep/sweep-heads.ts';
import { testRedis } from '../../../environment/redis.ts';
import {
  projectFile,
  projectId,
  repositoryId,
  repositoryName,
} from '../../../environment/worker/worker-environment.ts';
import { createIngestContext } from './ingest-context.ts';

const redis = testRedis();
const none = '0'.repeat(40);
const id = (name: string): string => createHash('sha1').update(name).digest('hex');
/** Two pushes, a force-push to another line, the branch deleted, and made again: each from where the one before ended. */
const heads = ['start', 'first', 'second', 'forced', undefined, 'again'].map((name) =>
  name === undefined ? none : id(name),
);
const parents = new Map([
  [id('first'), id('start')],
  [id('second'), id('first')],
  [id('forced'), id('start')],
  [id('again'), id('forced')],
]);
const head = heads.at(-1) ?? none;

function permutations(items: readonly number[]): number[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item) =>
    permutations(items.filter((one) => one !== item)).map((rest) => [item, ...rest]),
  );
}

function ancestors(commit: string | undefined): string[] {
  return commit === undefined ? [] : [commit, ...ancestors(parents.get(commit))];
}

/** A branch that has seen the first `moved()` pushes. */
function branchAt(moved: () => number, lanes: string): GitHubPort {
  const now = (): string | undefined => {
    const commit = heads[moved()] ?? none;
    return commit === none ? undefined : commit;
  };
  const elsewhere = createGitHubPort({
    apiUrl: 'http://127.0.0.1:1',
    access: tokenAccess(() => ''),
    clock: systemClock,
  });
  return {
    ...elsewhere,
    repository: async () => ({ id: repositoryId, fullName: repositoryName, defaultBranch: 'main' }),
    head: async () => now(),
    textAt: async () => projectFile(lanes),
    branches: async () =>
      [now()].flatMap((commit) => (commit === undefined ? [] : [{ name: 'main', commit }])),
    tags: async () => [],
    relation: async (_, base, commit) =>
      ancestors(commit).includes(base) ? 'ahead' : ancestors(base).includes(commit) ? 'behind' : 'diverged',
  };
}

/** A worker's way from a delivery to its lanes, on a ref that moves in the meantime. */
function start(policy: string) {
  const prefix = `{p-${randomUUID().slice(0, 8)}}`;
  let moved = 0;
  const lanes = `
  - { name: to-test, on: { push: { branches: [main] } }, from: dev, to: test, version: commit, policy: ${policy} }
`;
  const github = branchAt(() => moved, lanes);
  const { ports, context } = createIngestContext(redis, prefix, github);
  const { chain } = context;
  return {
    async deliver(index: number): Promise<void> {
      // GitHub tells of nothing that has not happened.
      moved = Math.max(moved, index + 1);
      const [before = none, after = none] = heads.slice(index);
      const body = {
        ref: 'refs/heads/main',
        before,
        after,
        created: before === none,
        deleted: after === none,
        forced: index === 2,
        repository: { id: repositoryId, full_name: repositoryName },
      };
      const facts = { delivery: `d-${index}`, digest: id(`body ${index}`), receivedAt: Date.now() };
      const event = reducePush(body, facts);
      if (event === undefined) throw new Error('the push was not understood');
      // As the receiver has it.
      if (!event.deleted) await ingestPush(event, context);
    },
    async sweep(): Promise<void> {
      moved = heads.length - 1;
      const accept = async (push: Parameters<typeof ingestPush>[0]): Promise<void> => {
        // A head that does not descend from the last known one waits first.
        const result = await ingestPush(push, context);
        if (result.status === 'waits') await accept(result.event);
      };
      await sweepHeads(
        { id: repositoryId, branches: ['main'], tags: [] },
        { github, chain, clock: systemClock, accept },
      );
    },
    async start(): Promise<void> {
      await chain.recordTips(repositoryId, [{ ref: 'refs/heads/main', commit: heads[0] ?? none }]);
    },
    async outcome() {
      const lane = await ports.store.lane(`${repositoryId}/${projectId}/to-test`);
      const promotions = await Promise.all(
        (await ports.store.promotionIds(50)).map((promotion) => ports.store.promotion(promotion)),
      );
      const newest = promotions.toSorted((a, b) => (b?.seq ?? 0) - (a?.seq ?? 0))[0];
      const twice = promotions.filter(
        (promotion, i) => promotions.findIndex((other) => other?.seq === promotion?.seq) !== i,
      );
      return { last: lane?.lastCommit, newest: newest?.task.commit, twice };
    },
  };
}

const all = permutations([0, 1, 2, 3, 4]);
const policies = ['latest', 'every', 'cancel'];
const good = { last: head, newest: head, twice: [] };

test('five pushes of a branch, force-push, deletion and new beginning among them, in every order: the lane ends on the head', async () => {
  expect(all).toHaveLength(120);
  for (let from = 0; from < all.length; from += 24) {
    await Promise.all(
      all.slice(from, from + 24).map(async (order, i) => {
        const branch = start(policies[i % policies.length] ?? 'latest');
        await branch.start();
        for (const index of order) await branch.deliver(index);
        expect(await branch.outcome(), order.join(' ')).toEqual(good);
      }),
    );
  }
});

test('with any one of the five lost, in every order, a sweep finds the head', async () => {
  for (let from = 0; from < all.length; from += 24) {
    await Promise.all(
      all.slice(from, from + 24).map(async (order, i) => {
        const lost = (from + i) % order.length;
        const branch = start(policies[i % policies.length] ?? 'latest');
        await branch.start();
        for (const index of order) if (index !== lost) await branch.deliver(index);
        await branch.sweep();
        expect(await branch.outcome(), `${order.join(' ')} without ${lost}`).toEqual(good);
        const before = await branch.outcome();
        await branch.sweep();
        expect(await branch.outcome()).toEqual(before);
      }),
    );
  }
});
