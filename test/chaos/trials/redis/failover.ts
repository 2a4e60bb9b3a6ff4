import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createLaneStore } from '../../../../worker/app/lane-store.ts';
import { connectRedis } from '../../../../lib/redis/connection/redis-connection.ts';
import { startRedisGroup } from '../../../environment/redis-group.ts';
import { release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import { askWorker, type Delivery } from '../../../environment/worker/worker-environment.ts';
import { effectsOf, repeated } from '../../environment/effects.ts';
import { promotionsIn, releaseAll } from '../../environment/promotions-in.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until } from '../../environment/until.ts';
import { mustHold, type Trial } from '../../trial.ts';

export const failover: Trial = {
  id: 'T22',
  title:
    'The master of three Redis processes killed under load; Sentinels make a replica the master, in two of five cases one that lags',
  criterion:
    'no promotion and no execution twice; each pushed version ends live and verified, or its lane is held and says so (`state-older` or an unknown outcome), and continues once it is resumed',
  async run({ form, scale, random, log }) {
    const failovers = form === 'short' ? 2 : Math.max(5, Math.round(50 * scale));
    const counts = { failovers: 0, 'with a lagging replica': 0, versions: 0, 'lanes held': 0 };
    // Sentinels never choose a replica that was cut off for more than ten times as long before.
    await using group = await startRedisGroup({ downAfterMs: 1_500 });
    // The environment wants a Redis of its own; nothing is in it.
    await using server = await startRedisServer();
    await using env = await createTrialEnvironment(server, { lanes: toTest, watched: false });
    const address = { kind: 'url', url: group.url } as const;
    const workers = [await env.start({}, address), await env.start({}, address)];
    await using closing = new AsyncDisposableStack();
    const redis = connectRedis({ address, role: 'worker', name: 'chaos' });
    closing.defer(() => redis.disconnect());
    const store = createLaneStore(redis, keysUnder(env.services.prefix), systemClock);
    const laneNow = async () => {
      const [id] = await store.laneIds();
      return id === undefined ? undefined : store.lane(id);
    };

    async function send(version: string, delivery: Delivery): Promise<void> {
      await until(`${version} is accepted`, async () => {
        for (const { url } of workers)
          if ([200, 202].includes((await env.send(url, delivery)) ?? 0)) return true;
        return false;
      });
    }

    for (let round = 1; round <= failovers; round += 1) {
      const lags = round % 5 === 2 || round % 5 === 4;
      const version = `v1.${round}.0`;
      if (lags) await group.cutReplicas();
      await release(env.services, version);
      const delivery = await env.services.push(`refs/tags/${version}`);
      await send(version, delivery);
      await delay(random.below(1_500));
      await group.killMaster();
      counts.failovers += 1;
      if (lags) counts['with a lagging replica'] += 1;
      await group.restart();
      // A push whose record was lost is found by a sweep, or sent again by GitHub's redelivery.
      await send(version, delivery);
      await until(
        `${version} is verified, or its lane is held`,
        async () => {
          const lane = await laneNow();
          if (lane?.verified?.version === version) return true;
          if ((lane?.holds.length ?? 0) === 0) return false;
          counts['lanes held'] += 1;
          return true;
        },
        120_000,
      ).catch(async (error: unknown) => {
        throw new Error(`${String(error)}\n${await picture(version)}`, { cause: error });
      });
      const lane = await laneNow();
      for (const { cause } of lane?.holds ?? [])
        mustHold(['state-older', 'indeterminate'].includes(cause), `the lane is held: ${cause}`);
      if ((lane?.holds.length ?? 0) > 0) await resumeWithVerdict(version);
      counts.versions += 1;
      const { promotions, executions } = effectsOf(env.services);
      mustHold(repeated(promotions).length === 0, `twice: ${repeated(promotions).join(', ')}`);
      mustHold(repeated(executions).length === 0, `twice: ${repeated(executions).join(', ')}`);
      log(`${counts.failovers} failovers, ${counts['lanes held']} lanes held`);
    }
    return counts;

    /** The state of the lane and of a version, for the message of a failure. */
    async function picture(version: string): Promise<string> {
      const all = await promotionsIn({ ...env, store });
      const own = all.filter((one) => one.version === version || one.task.ref.endsWith(`/${version}`));
      return [await laneNow(), ...own].map((one) => JSON.stringify(one)).join('\n');
    }

    /** As an operator: what was open is ended, because it may have happened; the next version follows. */
    async function resumeWithVerdict(version: string): Promise<void> {
      // A push that is found again after the lane is resumed would be verified a second time.
      await until('the push is known again', async () =>
        (await promotionsIn({ ...env, store })).some((one) => one.version === version),
      );
      await until('the lane is resumed', async () => {
        const ids = await store.openIds();
        for (const id of ids) {
          const promotion = await store.promotion(id);
          if (promotion?.outcome === undefined) await store.cancel(id, 'chaos');
        }
        await releaseAll({ ...env, store }, (path, body) => askWorker(workers[0]?.url ?? '', path, body));
        const lane = await laneNow();
        return lane !== undefined && lane.holds.length === 0 && lane.active === undefined;
      });
    }
  },
};
