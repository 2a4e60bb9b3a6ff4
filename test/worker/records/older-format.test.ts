import { expect, test } from 'vitest';
import { testRedis } from '../../environment/redis.ts';
import { oneLane, type OneLane } from '../promotion/gates/one-lane.ts';

const redis = testRedis();

/** Gives the records of a promotion and its lane the names of fields that format 2 has. */
async function writeAsFormat2({ env, lane }: OneLane, promotion: string): Promise<void> {
  const connection = redis.connect();
  const keys = await connection.keys(`${env.prefix}:*`);
  const renamed = [
    [keys.find((key) => key.endsWith(`:${promotion}`)), 'task', 'plan'],
    [keys.find((key) => key.endsWith(`:${lane}`)), 'lastAccepted', 'lastPlanned'],
  ] as const;
  for (const [key = '', now, before] of renamed) {
    const value = (await connection.hget(key, now)) ?? expect.unreachable(`${key} has no ${now}`);
    await connection.multi().hset(key, before, value).hdel(key, now).exec();
  }
}

test('promotions of format 2 are approved, promoted, superseded and promoted again', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const { store } = lane.ports;
  const first = await lane.push('v1.0.0');
  await writeAsFormat2(lane, first);
  expect(await lane.advance(first)).toMatchObject({ state: 'active', version: 'v1.0.0' });
  expect(await lane.approve('ada', first)).toMatchObject({ status: 200 });
  expect(await lane.advance(first)).toMatchObject({ outcome: 'passed', place: 2 });

  const second = await lane.push('v1.1.0');
  await writeAsFormat2(lane, second);
  const third = await lane.push('v1.2.0');
  await writeAsFormat2(lane, third);
  expect(await lane.advance(second)).toMatchObject({ outcome: 'superseded' });
  const { task } = (await store.promotion(third)) ?? expect.unreachable();
  const pusher = { login: 'grace', id: 7 };
  await store.learnPusher(lane.lane, { ref: task.ref, commit: task.commit, pusher, authors: [] });
  expect((await store.promotion(third))?.task.otherPushers).toEqual([pusher]);

  const again = `lanes/${encodeURIComponent(lane.lane)}/promote`;
  const answer = await lane.ask('root', 'POST', again, { version: 'v1.0.0', reason: 'bad figures' });
  expect(answer).toMatchObject({ status: 202, body: { commit: expect.any(String) } });
});
