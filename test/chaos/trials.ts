import type { Trial } from './trial.ts';
import { duplicates } from './trials/duplicates.ts';
import { frozenWorker } from './trials/frozen-worker.ts';
import { killAtEveryPoint } from './trials/kill-at-every-point.ts';
import { platformFaults } from './trials/platform-faults.ts';
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
];
