import { setTimeout as delay } from 'node:timers/promises';
import { startWorker } from '../../../worker/app/start-worker.ts';
import {
  createWorkerEnvironment,
  deliver,
  promotionsOf,
  type WorkerEnvironment,
} from '../../../test/environment/worker/worker-environment.ts';
import { type Row, sampleOf } from '../measure.ts';
import { type BenchRedis, startBenchRedis } from './bench-redis.ts';
import { until } from './until.ts';

interface Kind {
  readonly what: string;
  readonly count: number;
  readonly lanes: string;
  /** Milliseconds that each verification takes. */
  readonly verifyMs: number;
}

const lane = (policy: 'latest' | 'every', verify: string): string => `
  - name: to-test
    on: { push: { tags: ["v*"] } }
    from: dev
    to: test
    policy: ${policy}
${verify}`;
const verified = '    verify: [{ pipeline: daily/load, timeout: 1m }]\n';

const kinds: readonly Kind[] = [
  { what: 'one promotion without verification', count: 1, lanes: lane('latest', ''), verifyMs: 0 },
  {
    what: 'one promotion with a verification of 10 s',
    count: 1,
    lanes: lane('latest', verified),
    verifyMs: 10_000,
  },
  { what: '20 tags at once, policy: every', count: 20, lanes: lane('every', ''), verifyMs: 0 },
  { what: '20 tags at once, policy: latest', count: 20, lanes: lane('latest', ''), verifyMs: 0 },
];

/** A write each second, as GitHub allows. */
const gapMs = 1_000;

/** The writes to GitHub for each promotion, with statuses and deployments, until nothing more is to be sent. */
export async function writes(): Promise<Row[]> {
  await using redis = await startBenchRedis();
  const rows: Row[] = [];
  for (const kind of kinds)
    rows.push({
      what: `${kind.what}: writes to GitHub for each promotion`,
      ours: sampleOf([await measure(kind, redis)]),
      referenceName: 'a status, a deployment and its state',
      reference: sampleOf([3]),
      unit: '',
    });
  return rows;
}

async function measure({ count, lanes, verifyMs }: Kind, redis: BenchRedis): Promise<number> {
  const env = await createWorkerEnvironment({
    lanes,
    seed: { executions: [{ pipeline: 'daily/load', component: 'Load', after: verifyMs }] },
    github: {
      tokens: { worker: { permissions: { contents: 'read', statuses: 'write', deployments: 'write' } } },
    },
  });
  const { settings, ...options } = env.options(redis);
  const githubLimits = { perMinute: 80, perHour: 500, gapMs };
  const worker = await startWorker({ ...options, settings: { ...settings, githubLimits } });
  const versions = await releaseAll(env, count);
  for (const version of versions) await deliver(worker.url, await env.push(`refs/tags/${version}`));
  const isOver = async () => {
    const promotions = await promotionsOf(worker.url, 'to-test');
    return promotions.length === count && promotions.every(({ state }) => state === 'finished');
  };
  await until(isOver, 120_000);
  // A query is a POST that only reads.
  const all = () =>
    env.github.requests.filter(({ method, path }) => method === 'POST' && path !== '/graphql');
  let seen = -1;
  while (seen < all().length) {
    seen = all().length;
    // Longer than any pause between two writes.
    await delay(12_000);
  }
  await worker.close();
  await env[Symbol.asyncDispose]();
  return seen / count;
}

async function releaseAll(env: WorkerEnvironment, count: number): Promise<readonly string[]> {
  const versions = Array.from({ length: count }, (_, i) => `v1.${i}.0`);
  for (const version of versions) {
    const commit = await env.repository.commit('main', { 'notes.txt': version });
    await env.repository.tag(version, commit);
    await env.publish(version, commit);
  }
  return versions;
}
