import { release, twoLanes } from '../../../environment/worker/lanes-at-work.ts';
import { askWorker } from '../../../environment/worker/worker-environment.ts';
import { effectsOf, repeated } from '../../environment/effects.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { releaseAll, promotionsIn } from '../../environment/promotions-in.ts';
import { type TrialEnvironment, createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until } from '../../environment/until.ts';
import type { WorkerProcess } from '../../environment/worker-process.ts';
import { mustHold, type Trial } from '../../trial.ts';

export const redisFlushed: Trial = {
  id: 'T5b',
  title: 'Redis emptied by FLUSHALL under a running worker',
  criterion:
    'all lanes are rebuilt with their live version and put on hold (`state-lost`); pushes wait until an operator resumes the lanes; nothing takes effect twice',
  async run({ form, scale }) {
    const rounds = form === 'short' ? 1 : Math.max(2, Math.round(6 * scale));
    await using server = await startRedisServer();
    await using env = await createTrialEnvironment(server, { lanes: twoLanes });
    const worker = await env.start();
    await through(env, worker, 'v1.0.0');
    for (let round = 1; round <= rounds; round += 1) {
      await server.redis.flushall();
      await until('both lanes are held', async () => {
        const lanes = await lanesOf(env);
        return (
          lanes.length === 2 &&
          lanes.every((lane) => lane?.holds.some(({ cause }) => cause === 'state-lost') === true)
        );
      });
      const found = (await lanesOf(env)).map((lane) => lane?.found?.version);
      mustHold(
        found.every((version) => version === `v1.${round - 1}.0`),
        `found live: ${found.join(' and ')}`,
      );
      const before = effectsOf(env.services);
      const version = `v1.${round}.0`;
      await release(env.services, version);
      await env.send(worker.url, await env.services.push(`refs/tags/${version}`));
      await until('the push waits', async () =>
        (await promotionsIn(env)).some((run) => run.task.ref.endsWith(version)),
      );
      mustHold(
        effectsOf(env.services).promotions.length === before.promotions.length,
        'something was promoted in a held lane',
      );
      await until('promotions continue once the lanes are resumed', async () => {
        await releaseAll(env, (path, body) => askWorker(worker.url, path, body));
        return (await lanesOf(env)).every((lane) => lane?.verified?.version === version);
      });
    }
    const { promotions, executions } = effectsOf(env.services);
    for (const list of [promotions, executions])
      mustHold(repeated(list).length === 0, `twice: ${repeated(list).join(', ')}`);
    return { 'times flushed': rounds, promotions: promotions.length, executions: executions.length };
  },
};

const lanesOf = async ({ store }: TrialEnvironment) =>
  Promise.all((await store.laneIds()).map((id) => store.lane(id)));

async function through(env: TrialEnvironment, worker: WorkerProcess, version: string): Promise<void> {
  await release(env.services, version);
  await env.send(worker.url, await env.services.push(`refs/tags/${version}`));
  await until('the first version is in prod', async () => {
    const lanes = await lanesOf(env);
    return lanes.length === 2 && lanes.every((lane) => lane?.verified?.version === version);
  });
}
