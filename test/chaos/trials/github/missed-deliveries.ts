import { setTimeout as delay } from 'node:timers/promises';
import type { GitHub } from '../../../environment/github/start-github.ts';
import { release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import { repositoryName, webhookSecret } from '../../../environment/worker/worker-environment.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { promotionsIn, untilQuiet } from '../../environment/promotions-in.ts';
import { createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until, untilReached } from '../../environment/until.ts';
import { mustHold, type Trial } from '../../trial.ts';

const lanes = toTest.replace('on-failure: rollback', 'on-failure: rollback\n    policy: every');

export const missedDeliveries: Trial = {
  id: 'T8',
  title:
    'The worker dies during a sweep and is down while tags are pushed; GitHub does not redeliver on its own',
  criterion:
    'the worker asks GitHub exactly once to redeliver each missed delivery; every version reaches its lane; the newest is live',
  waits: true,
  async run({ form, scale, log }) {
    const missed = form === 'short' ? 2 : Math.max(5, Math.round(25 * scale));
    const downMs = form === 'short' ? 0 : 600_000 * Math.min(1, scale);
    await using server = await startRedisServer();
    await using env = await createTrialEnvironment(server, {
      lanes,
      github: {
        tokens: {
          worker: { permissions: { contents: 'read', statuses: 'write', repository_hooks: 'write' } },
        },
      },
    });
    const { github } = env.services;
    const settings = { sweepMs: 1_000, sweepTickMs: 200 };
    const first = await env.start(settings);
    const hook = github.addHook({
      place: repositoryName,
      url: `${first.url}/webhooks/github`,
      secret: webhookSecret,
      events: ['push', 'create'],
    });
    const deliver = async (version: string): Promise<void> =>
      github.deliver('push', await github.events.push(repositoryName, `refs/tags/${version}`));
    const isThrough = async (version: string): Promise<boolean> =>
      (await promotionsIn(env)).some(
        (run) => run.version === version && (run.outcome === 'passed' || run.outcome === 'superseded'),
      );
    await release(env.services, 'v1.0.0');
    await deliver('v1.0.0');
    await until('the first version is through', () => isThrough('v1.0.0'));

    // The worst moment: a sweep keeps other sweeps out.
    env.watch(({ line, label, phase }) => {
      if (!first.alive || line !== 'github' || phase !== 'before' || !label.includes('/deliveries'))
        return 'pass';
      first.signal('SIGKILL');
      return 'cut';
    });
    await until('the first worker dies in the middle of a sweep', () => !first.alive);
    await first.exited;
    const versions = Array.from({ length: missed }, (_, i) => `v2.${i}.0`);
    const downSince = Date.now();
    for (const version of versions) {
      await release(env.services, version);
      await deliver(version);
      await delay(downMs / missed);
    }
    const down = Math.round((Date.now() - downSince) / 1000);
    log(`${missed} pushes were missed in ${down} s`);
    const second = await env.start(settings);
    hook.url = `${second.url}/webhooks/github`;
    await untilReached('every missed version is through', async () => {
      const through = (await Promise.all(versions.map(isThrough))).filter(Boolean).length;
      const asked = redeliveries(github);
      return through === missed || `${through} through, ${asked.length} requested again`;
    });
    await untilQuiet(env);
    const asked = redeliveries(github);
    const different = new Set(asked.map(({ path }) => path));
    mustHold(asked.length === different.size, `${asked.length} redeliveries of ${different.size} deliveries`);
    const promotions = await promotionsIn(env);
    mustHold(promotions.length === missed + 1, `${promotions.length} runs of ${missed + 1} versions`);
    const [lane] = await Promise.all((await env.store.laneIds()).map((id) => env.store.lane(id)));
    mustHold(lane?.verified?.version === versions.at(-1), `live is ${lane?.verified?.version ?? 'nothing'}`);
    return {
      'deliveries missed': missed,
      'seconds without a worker': down,
      'redeliveries requested': asked.length,
      promotions: promotions.length,
      'versions lost': 0,
    };
  },
};

function redeliveries({ requests }: GitHub): GitHub['requests'] {
  return requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/attempts'));
}
