import { expect, test } from 'vitest';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createStateGuard } from '../../../../worker/promotion/state-guard.ts';
import { testRedis } from '../../../environment/redis.ts';
import { oneLane } from '../../promotion/gates/one-lane.ts';
import { repositoryId } from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();

/** Two workers on one Redis; no lane can be made again, as where GitHub does not answer. */
async function createTestEnvironment() {
  const lane = await oneLane(redis);
  const connection = redis.connect();
  const keys = keysUnder(lane.env.prefix);
  const guard = () =>
    createStateGuard({
      redis: connection,
      ports: lane.ports,
      emptyMeans: 'new',
      repositories: () => [repositoryId],
      rebuild: () => Promise.reject(new Error('GitHub does not answer')),
      compare: () => Promise.resolve(0),
    });
  const causes = async () =>
    ((await lane.ports.store.lane(lane.lane))?.holds ?? []).map(({ cause }) => cause);
  return { lane, connection, keys, one: guard(), other: guard(), causes };
}

test('lanes of an older state that comes back are held in the step that finds it', async () => {
  const { lane, connection, keys, one, causes } = await createTestEnvironment();
  await lane.advance(await lane.push('v1.0.0'));
  // The second loss: the backup was taken after the first.
  await connection.set(keys.state, 'lost-2');
  await one.check();
  await connection.set(keys.state, 'lost-1');
  expect(await one.isRebuilding(repositoryId)).toBe(true);
  expect(await causes()).toEqual(['state-lost']);
  await lane.push('v1.1.0');
  expect((await lane.ports.store.lane(lane.lane))?.active).toBeUndefined();
});

test('workers agree on two losses of which one saw only the second, and hold a lane once', async () => {
  const { lane, connection, keys, one, other, causes } = await createTestEnvironment();
  await lane.advance(await lane.push('v1.0.0'));
  await one.check();
  await other.check();
  for (let i = 0; i < 2; i += 1) {
    await connection.del(keys.state, `${keys.state}:was`);
    await one.check();
  }
  await other.check();
  const agreed = await connection.get(keys.state);
  for (let i = 0; i < 3; i += 1) {
    await one.check();
    await other.check();
  }
  expect(await connection.get(keys.state)).toBe(agreed);
  expect(await causes()).toEqual(['state-lost']);
});
