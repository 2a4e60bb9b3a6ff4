import { release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { promotionsIn } from '../../environment/promotions-in.ts';
import { createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until } from '../../environment/until.ts';
import type { WorkerProcess } from '../../environment/worker-process.ts';
import { mustHold, type Trial } from '../../trial.ts';

const lanes = `${toTest}
  - name: others
    on: { push: { tags: ["vo*"] } }
    from: test
    to: prod
    verify: [{ pipeline: daily/load, timeout: 1m }]
    on-failure: hold
`.replace('tags: ["v*"]', 'tags: ["vp*"]');

/** More deaths than this would mean that it is never quarantined. */
const maxDeaths = 25;

export const poison: Trial = {
  id: 'T14',
  title: 'A promotion that kills every worker that advances it',
  criterion:
    'it is quarantined after a number of deaths in a row, with its lane held, a reason and a status on GitHub; other promotions continue',
  async run({ log }) {
    await using server = await startRedisServer();
    await using env = await createTrialEnvironment(server, { lanes });
    const settings = { lockMs: 600, stalledMs: 200, liveTickMs: 3_600_000 };
    let worker: WorkerProcess = await env.start(settings);
    const commit = await release(env.services, 'vp1');
    await env.services.publish('vo1', await release(env.services, 'vo1'), 'test');
    const counted = { deaths: 0 };
    // Only this promotion asks for what is in its source, and never comes further; what is live is asked of targets.
    env.watch(({ label, phase }) => {
      if (label !== 'GET /artifacts/?dev' || phase !== 'before') return 'pass';
      counted.deaths += 1;
      worker.signal('SIGKILL');
      return 'cut';
    });
    const idOf = async (version: string) =>
      (await promotionsIn(env)).find(({ task }) => task.ref === `refs/tags/${version}`);
    await env.send(worker.url, await env.services.push('refs/tags/vp1'));
    const offer = async ({ url }: WorkerProcess): Promise<boolean> =>
      (await env.send(url, await env.services.push('refs/tags/vo1'))) === 202;
    let offered = false;
    while (counted.deaths <= maxDeaths) {
      await until(
        'a death or the end',
        async () => !worker.alive || (await idOf('vp1'))?.state === 'finished',
      );
      if (worker.alive) break;
      await worker.exited;
      worker = await env.start(settings);
      if (!offered && counted.deaths >= 2) offered = await offer(worker);
      log(`${counted.deaths} deaths`);
    }
    // A worker that dies at that moment answers nothing; the next one accepts the push.
    offered ||= await offer(worker);
    mustHold(offered, 'no push of another lane was accepted');
    await until('the other lane ends', async () => (await idOf('vo1'))?.state === 'finished');
    const [bad, good] = [await idOf('vp1'), await idOf('vo1')];
    mustHold(
      bad?.state === 'finished',
      `after ${counted.deaths} deaths it is still ${bad?.state ?? 'nowhere'}`,
    );
    mustHold(good?.outcome === 'passed', `the other lane ended ${good?.outcome ?? 'nowhere'}`);
    const hold = (await env.store.lane(bad?.lane ?? ''))?.holds[0];
    mustHold(hold !== undefined && hold.reason !== '', 'the lane of the promotion that kills is not held');
    const commitStatus = (): string => env.services.status(commit, 'millrace/to-test') ?? '';
    await until('GitHub has the status', () => /^(?:error|failure): /.test(commitStatus()));
    return {
      deaths: counted.deaths,
      'outcome of the promotion': bad?.outcome ?? '',
      'reason of the hold': hold?.reason ?? '',
      'status on GitHub': commitStatus(),
    };
  },
};
