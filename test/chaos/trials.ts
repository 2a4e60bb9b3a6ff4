import type { Trial } from './trial.ts';
import { burstReporting } from './trials/burst-reporting.ts';
import { deadConnections } from './trials/dead-connections.ts';
import { clusterFailover } from './trials/cluster-failover.ts';
import { duplicates } from './trials/duplicates.ts';
import { foreignAddresses } from './trials/foreign-addresses.ts';
import { failover } from './trials/failover.ts';
import { frozenWorker } from './trials/frozen-worker.ts';
import { githubFaults } from './trials/github-faults.ts';
import { handOvers } from './trials/hand-overs.ts';
import { hostileBodies } from './trials/hostile-bodies.ts';
import { killAtEveryPoint } from './trials/kill-at-every-point.ts';
import { laneHistories } from './trials/lane-histories.ts';
import { laggingGitHub } from './trials/lagging-github.ts';
import { missedDeliveries } from './trials/missed-deliveries.ts';
import { ordersOfPushes } from './trials/orders-of-pushes.ts';
import { platformFaults } from './trials/platform-faults.ts';
import { poison } from './trials/poison.ts';
import { randomKills } from './trials/random-kills.ts';
import { recovery } from './trials/recovery.ts';
import { redisFlushed } from './trials/redis-flushed.ts';
import { redisKilled } from './trials/redis-killed.ts';
import { redisFaults } from './trials/redis-faults.ts';
import { rollingDeploy } from './trials/rolling-deploy.ts';
import { rollingUpgrade } from './trials/rolling-upgrade.ts';
import { signatures } from './trials/signatures.ts';
import { soak } from './trials/soak.ts';
import { stoppedWithRedis } from './trials/stopped-with-redis.ts';
import { suspendedApp } from './trials/suspended-app.ts';

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
  soak,
];
