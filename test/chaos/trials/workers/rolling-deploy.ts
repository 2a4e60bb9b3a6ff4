import { setTimeout as delay } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { release, twoLanes } from '../../../environment/worker/lanes-at-work.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { promotionsIn } from '../../environment/promotions-in.ts';
import { createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until } from '../../environment/until.ts';
import { mustHold, type Trial } from '../../trial.ts';

/** Jobs of a future version: kinds that this version does not know, and newer forms of known kinds. */
const unknownJobs = [
  { queue: 'promotion', name: 'rehearse', data: { promotionId: 'x' } },
  { queue: 'promotion', name: 'advance', data: { promotionId: 'x', form: 2 } },
  { queue: 'report', name: 'report-elsewhere', data: { promotionId: 'x' } },
  { queue: 'ingest', name: 'release', data: { tag: 'v1' } },
] as const;

export const rollingDeploy: Trial = {
  id: 'T15',
  title: 'Two versions side by side: jobs of kinds and forms that this version does not know',
  criterion:
    'no worker completes a job that it does not know; the version that knows the job gets it; known work continues',
  async run({ form }) {
    await using server = await startRedisServer();
    await using env = await createTrialEnvironment(server, { lanes: twoLanes });
    const prefix = env.services.prefix;
    const [worker] = await Promise.all([env.start(), env.start()]);
    const connection = server.redis;
    const jobs = [];
    for (const [i, { queue: name, name: kind, data }] of unknownJobs.entries()) {
      const queue = new Queue(name, { connection, prefix });
      jobs.push({
        queue,
        job: await queue.add(kind, data, { jobId: `from-the-future-${i}`, removeOnComplete: false }),
      });
    }
    await release(env.services, 'v1.0.0');
    await env.send(worker.url, await env.services.push('refs/tags/v1.0.0'));
    await until('known work continues', async () => {
      const promotions = await promotionsIn(env);
      return promotions.length === 2 && promotions.every(({ outcome }) => outcome === 'passed');
    });
    await delay(form === 'short' ? 500 : 20_000);
    const states = await Promise.all(jobs.map(({ job }) => job.getState()));
    mustHold(
      states.every((state) => state !== 'completed' && state !== 'failed' && state !== 'unknown'),
      `after a while they are ${states.join(', ')}`,
    );
    const [first] = jobs;
    if (first === undefined) throw new Error('there are no unknown jobs');
    // The newer version takes over once the older is stopped, as in a rolling deploy.
    worker.signal('SIGTERM');
    await worker.exited;
    const seen: string[] = [];
    const own = connection.duplicate();
    const newer = new Worker(
      'promotion',
      async (job) => {
        seen.push(job.name);
      },
      { connection: own, prefix, concurrency: 5 },
    );
    newer.on('error', () => undefined);
    await first.job.promote().catch(() => undefined);
    await until('the version that knows the job gets it', () => seen.includes('rehearse'), 90_000);
    await newer.close();
    own.disconnect();
    await Promise.all(jobs.map(({ queue }) => queue.close()));
    return {
      'kinds and forms unknown': unknownJobs.length,
      'completed by a version that does not know them': 0,
    };
  },
};
