import { expect, test } from 'vitest';
import { callApi } from '../../environment/worker/call-api.ts';
import { reconcile } from '../../../worker/promotion/admission/reconcile.ts';
import type { WorkerPorts } from '../../../worker/app/open-ports.ts';
import { testRedis } from '../../environment/redis.ts';
import { oneLane, type OneLane, person } from '../promotion/gates/one-lane.ts';

const redis = testRedis();

/** The reconciler cuts off what is old by its clock; Redis numbers the audit by its own. */
const start = Date.now();

const root = person('root', 'admin');

/** Asks a worker that dies where `queues` or `store` throws. */
async function askUntilDeath(
  { ports }: OneLane,
  path: string,
  {
    queues,
    store,
  }: { readonly queues?: Partial<WorkerPorts['queues']>; readonly store?: Partial<WorkerPorts['store']> },
): Promise<void> {
  const dying = {
    ...ports,
    queues: { ...ports.queues, ...queues },
    store: { ...ports.store, ...store },
  };
  const request = { method: 'POST', path, body: {} } as const;
  await expect(callApi(request, root, dying)).rejects.toThrow('killed');
}

const killed = () => Promise.reject(new Error('killed'));

/** Accepts a promotion, and dies right after that. */
const diesAfterAccept = ({ ports }: OneLane): Pick<WorkerPorts['store'], 'accept'> => ({
  async accept(...given) {
    await ports.store.accept(...given);
    return killed();
  },
});

async function actsOf(lane: OneLane): Promise<readonly string[]> {
  return (await lane.ports.store.auditEntries(10)).map(
    ({ by, act, promotion }) => `${by} ${act} ${promotion}`,
  );
}

test('a retry and its audit entry are one step: a crash right after it leaves both', async () => {
  const lane = await oneLane(redis, { start });
  const first = await lane.push('v1.0.0');
  await lane.advance(first);
  await askUntilDeath(lane, `promotions/${first}/retry`, { store: diesAfterAccept(lane) });
  const again = (await lane.ports.store.promotionIds(10)).find((id) => id !== first);
  expect(again).toBeDefined();
  expect(await actsOf(lane)).toEqual([`root retry ${again}`]);
});

test('a replay and its audit entry are one step, and the reconciler completes the replay', async () => {
  const lane = await oneLane(redis, { start });
  const { ports } = lane;
  const data = { digest: 'x', repositoryId: 77, repositoryName: 'example/warehouse', ref: 'refs/heads/main' };
  const letter = { id: 'ingest-1', queue: 'ingest', kind: 'exhausted', cause: 'no answer', data } as const;
  const waiting = async () =>
    (await ports.queues.counts()).find(({ queue, state }) => queue === 'ingest' && state === 'wait')?.jobs;

  // Before and after the deed.
  await ports.deadLetters.add(letter);
  await askUntilDeath(lane, 'dead-letters/ingest-1/replay', { queues: { replayPush: killed } });
  expect(await actsOf(lane)).toEqual(['root replay ']);
  expect(await ports.deadLetters.count()).toBe(0);
  expect(await waiting()).toBe(0);
  await reconcile(ports);
  expect(await waiting()).toBe(1);
  expect(await ports.deadLetters.unfinishedReplays()).toEqual([]);

  await ports.deadLetters.add(letter);
  await askUntilDeath(lane, 'dead-letters/ingest-1/replay', {
    queues: {
      replayPush: async (event) => {
        await ports.queues.replayPush(event);
        throw new Error('killed');
      },
    },
  });
  await reconcile(ports);
  expect(await waiting()).toBe(1);
  expect(await actsOf(lane)).toHaveLength(2);
});

test('a promotion that was given up is replayed once as a new promotion, and the audit has both ids', async () => {
  const lane = await oneLane(redis, { start });
  const { ports } = lane;
  const first = await lane.push('v1.0.0');
  await lane.advance(first);
  const letter = {
    queue: 'promotion',
    kind: 'poison',
    cause: 'it kills',
    data: { promotionId: first },
  } as const;
  await ports.deadLetters.add({ ...letter, id: `promotion-${first}` });
  await askUntilDeath(lane, `dead-letters/promotion-${first}/replay`, { store: diesAfterAccept(lane) });
  await reconcile(ports);
  const again = (await ports.store.promotionIds(10)).find((id) => id !== first);
  expect(await actsOf(lane)).toEqual([`root replay ${again}`]);
  expect((await lane.advance(again ?? '')).outcome).toBe('passed');
  await ports.deadLetters.add({ ...letter, id: `promotion-${first}` });
  expect(await lane.ask('root', 'POST', `dead-letters/promotion-${first}/replay`)).toMatchObject({
    status: 409,
  });
});
