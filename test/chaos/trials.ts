import type { Trial } from './trial.ts';
import { burstReporting } from './trials/github/burst-reporting.ts';
import { deadConnections } from './trials/redis/dead-connections.ts';
import { clusterFailover } from './trials/redis/cluster-failover.ts';
import { duplicates } from './trials/pushes/duplicates.ts';
import { foreignAddresses } from './trials/pushes/foreign-addresses.ts';
import { failover } from './trials/redis/failover.ts';
import { frozenWorker } from './trials/workers/frozen-worker.ts';
import { githubFaults } from './trials/github/github-faults.ts';
import { handOvers } from './trials/workers/hand-overs.ts';
import { hostileBodies } from './trials/pushes/hostile-bodies.ts';
import { killAtEveryPoint } from './trials/workers/kill-at-every-point.ts';
import { laneHistories } from './trials/pushes/lane-histories.ts';
import { laggingGitHub } from './trials/github/lagging-github.ts';
import { missedDeliveries } from './trials/github/missed-deliveries.ts';
import { ordersOfPushes } from './trials/pushes/orders-of-pushes.ts';
import { plansUnderKills } from './trials/workers/plans-under-kills.ts';
import { platformFaults } from './trials/pushes/platform-faults.ts';
import { poison } from './trials/workers/poison.ts';
import { randomKills } from './trials/workers/random-kills.ts';
import { recovery } from './trials/redis/recovery.ts';
import { redisFlushed } from './trials/redis/redis-flushed.ts';
import { redisKilled } from './trials/redis/redis-killed.ts';
import { redisFaults } from './trials/redis/redis-faults.ts';
import { rollingDeploy } from './trials/workers/rolling-deploy.ts';
import { rollingUpgrade } from './trials/workers/rolling-upgrade.ts';
import { signatures } from './trials/pushes/signatures.ts';
import { soak } from './trials/workers/soak.ts';
import { stoppedWithRedis } from './trials/redis/stopped-with-redis.ts';
import { suspendedApp } from './trials/github/suspended-app.ts';

/** All trials, by their ids. */
export const trials: readonly Trial[] = [
  killAtEveryPoint,
  randomKills,
  frozenWorker,
  redisKilled,
  redisFaults,
  redisFlushed,
  failover,
  deadConnections,
  clusterFailover,
  duplicates,
  ordersOfPushes,
  missedDeliveries,
  platformFaults,
  signatures,
  hostileBodies,
  foreignAddresses,
  poison,
  rollingDeploy,
  githubFaults,
  recovery,
  laneHistories,
  laggingGitHub,
  suspendedApp,
  handOvers,
  burstReporting,
  rollingUpgrade,
  stoppedWithRedis,
  plansUnderKills,
  soak,
];
