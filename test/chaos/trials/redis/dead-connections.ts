import { toTest, release } from '../../../environment/worker/lanes-at-work.ts';
import { openNamespaceLine, whyNoNamespace } from '../../environment/network-namespace.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until } from '../../environment/until.ts';
import { effectsOf, repeated } from '../../environment/effects.ts';
import { mustHold, type Trial } from '../../trial.ts';

/** Milliseconds within which the worker accepts a push again. */
const limitMs = 15_000;

export const deadConnections: Trial = {
  id: 'T26',
  title:
    'All open connections of a worker to Redis die without a last packet: a network namespace drops their packets',
  criterion:
    'a push is accepted again within 15 s and its version is verified, no promotion and no execution happens twice, and the worker is alive all the time',
  alone: true,
  async run({ form, scale, log }) {
    const missing = whyNoNamespace();
    if (missing !== undefined) return { rounds: 0, 'not run': missing };
    const rounds = form === 'short' ? 1 : Math.max(2, Math.round(20 * scale));
    await using server = await startRedisServer();
    await using line = await openNamespaceLine(server.socket);
    await using env = await createTrialEnvironment(server, { lanes: toTest, watched: false });
    const worker = await env.start({}, line.address);
    const accepted: number[] = [];
    const verified: number[] = [];
    let dropped = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const version = `v1.${round}.0`;
      await release(env.services, version);
      const delivery = await env.services.push(`refs/tags/${version}`);
      dropped += line.dropOpen();
      const began = performance.now();
      await until(`${version} is accepted`, async () => {
        // A connection that is used again may be one that the worker closes at this moment.
        const alive = await fetch(`${worker.url}/livez`, { headers: { connection: 'close' } });
        mustHold(alive.ok, 'the worker said that it is not alive');
        return [200, 202].includes((await env.send(worker.url, delivery)) ?? 0);
      });
      accepted.push(performance.now() - began);
      await until(`${version} is verified`, async () =>
        (await env.services.versions('test')).includes(version),
      );
      await until(`the lane of ${version} is free`, async () => {
        const [id] = await env.store.laneIds();
        const lane = id === undefined ? undefined : await env.store.lane(id);
        mustHold((lane?.holds.length ?? 0) === 0, 'the lane is held');
        return lane?.verified?.version === version;
      });
      verified.push(performance.now() - began);
      log(`${round} of ${rounds}: accepted after ${Math.round(accepted.at(-1) ?? 0)} ms`);
    }
    const slowest = Math.max(...accepted);
    mustHold(slowest < (form === 'short' ? 2 * limitMs : limitMs), `it took ${Math.round(slowest)} ms`);
    const { promotions, executions } = effectsOf(env.services);
    mustHold(repeated(promotions).length === 0, `twice: ${repeated(promotions).join(', ')}`);
    mustHold(repeated(executions).length === 0, `twice: ${repeated(executions).join(', ')}`);
    return {
      rounds,
      'dead connections': dropped,
      'slowest until a push is accepted, ms': Math.round(slowest),
      'slowest until its version is verified, ms': Math.round(Math.max(...verified)),
    };
  },
};
