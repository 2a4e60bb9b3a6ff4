import { randomUUID } from 'node:crypto';
import { release, twoLanes } from '../../../environment/worker/lanes-at-work.ts';
import type { Delivery } from '../../../environment/worker/worker-environment.ts';
import { effectsOf } from '../../environment/effects.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { promotionsIn, untilQuiet } from '../../environment/promotions-in.ts';
import { type TrialEnvironment, createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until } from '../../environment/until.ts';
import { mustHold, type Trial } from '../../trial.ts';

const underId = ({ headers, body }: Delivery, id: string): Delivery => ({
  body,
  headers: { ...headers, 'x-github-delivery': id },
});

export const duplicates: Trial = {
  id: 'T6',
  title:
    'Duplicates: ten deliveries at once to two workers, a redelivery after its records expired, a replay under a new id, an altered event name',
  criterion:
    'each push starts one promotion per lane, however often it is delivered; an altered event name starts nothing',
  async run({ form, scale }) {
    const versions = form === 'short' ? 2 : Math.max(2, Math.round(10 * scale));
    await using server = await startRedisServer();
    await using env = await createTrialEnvironment(server, { lanes: twoLanes });
    const [a, b] = await Promise.all([env.start(), env.start()]);
    let sent = 0;
    let replays = 0;
    for (let i = 1; i <= versions; i += 1) {
      const version = `v1.${i}.0`;
      await release(env.services, version);
      const original = await env.services.push(`refs/tags/${version}`);
      const send = async (delivery: Delivery, to = a): Promise<number> => {
        sent += 1;
        return (await env.send(to.url, delivery)) ?? 0;
      };
      const renamed = { ...original, headers: { ...original.headers, 'x-github-event': 'create' } };
      mustHold(
        (await send(underId(renamed, randomUUID()))) === 200,
        'a delivery with an altered event name is accepted',
      );

      const atOnce = await Promise.all(
        Array.from({ length: 10 }, (_, n) => send(original, n % 2 === 0 ? a : b)),
      );
      mustHold(atOnce.includes(202), `no delivery of ten was accepted: ${atOnce.join(' ')}`);
      mustHold(
        atOnce.every((status) => status === 202 || status === 200),
        `ten deliveries at once: ${atOnce.join(' ')}`,
      );
      await until('the version is in prod', async () => (await promotionsIn(env)).length === 2 * i);
      await untilQuiet(env);

      mustHold((await send(original)) === 200, 'a redelivery is recognized');
      mustHold(
        (await send(underId(original, randomUUID()), b)) === 200,
        'a replay under a new id is recognized',
      );
      replays += 2;
      await forget(env);
      await until(
        'a push whose records expired is accepted again',
        async () => (await send(underId(original, randomUUID()))) === 202,
      );
      replays += 1;
      await until(
        'it was looked at',
        async () => (await server.redis.zcard(`${env.services.prefix}:ingest:completed`)) > 0,
      );
    }
    await untilQuiet(env);
    const promotions = await promotionsIn(env);
    const { promotions: promoted, executions } = effectsOf(env.services);
    for (const [what, count] of [
      ['promotions', promotions.length],
      ['versions promoted', promoted.length],
      ['executions', executions.length],
    ] as const)
      mustHold(count === 2 * versions, `${count} ${what} for ${versions} versions through two lanes`);
    return { deliveries: sent, versions, replays, promotions: promotions.length };
  },
};

/** As after a month: removes the keys and the job of each delivery. */
async function forget({ server, services }: TrialEnvironment): Promise<void> {
  const keys = await server.redis.keys(`${services.prefix.replace('{', '\\{')}:*`);
  const old = keys.filter((key) => /:(?:delivery|body):/.test(key) || /:ingest:(?:b-|completed$)/.test(key));
  mustHold(old.length > 2, 'there are records to remove');
  await server.redis.del(...old);
}
