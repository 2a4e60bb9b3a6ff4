import type { Trial } from './trial.ts';
import { duplicates } from './trials/duplicates.ts';
import { foreignAddresses } from './trials/foreign-addresses.ts';
import { frozenWorker } from './trials/frozen-worker.ts';
import { githubFaults } from './trials/github-faults.ts';
import { hostileBodies } from './trials/hostile-bodies.ts';
import { killAtEveryPoint } from './trials/kill-at-every-point.ts';
import { laneHistories } from './trials/lane-histories.ts';
import { platformFaults } from './trials/platform-faults.ts';
import { poison } from './trials/poison.ts';
import { randomKills } from './trials/random-kills.ts';
import { redisKilled } from './trials/redis-killed.ts';
import { redisTrouble } from './trials/redis-trouble.ts';

/** All trials, by their ids. */
export const trials: readonly Trial[] = [
  killAtEveryPoint,
  randomKills,
  frozenWorker,
  redisKilled,
  redisTrouble,
  duplicates,
  platformFaults,
  hostileBodies,
  foreignAddresses,
  poison,
  githubFaults,
  laneHistories,
];
