import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../../worker/store/scripts/keys.ts';
import { createLaneStore } from '../../../worker/app/lane-store.ts';
import { testRedis } from '../../environment/redis.ts';
import { expectHistories } from './lane-histories.ts';

const redis = testRedis();

test.each([1, 2, 3, 4])('1,000 histories of a lane (seed %i) keep what it promises', async (seed) => {
  const connection = redis.connect();
  const freshStore = () => {
    const keys = keysUnder(`{s-${randomUUID()}}`);
    // Before anything else that goes over it.
    void connection.set(keys.state, 'new');
    return createLaneStore(connection, keys, systemClock);
  };
  await expectHistories(freshStore, { numRuns: 1_000, seed });
});
