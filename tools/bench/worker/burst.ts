import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { createGitHubPort } from '../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../lib/github/access/github-access.ts';
import type { Logger } from '../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { startWorker } from '../../../worker/app/start-worker.ts';
import { openWire } from '../../../test/environment/worker/wire.ts';
import {
  createWorkerEnvironment,
  deliver,
  type Delivery,
  type WorkerEnvironment,
} from '../../../test/environment/worker/worker-environment.ts';
import { type Row, sampleOf } from '../measure.ts';
import { type BenchRedis, startBenchRedis } from './bench-redis.ts';
import { until } from './until.ts';

/** Milliseconds that GitHub takes for each answer. */
const githubMs = 100;
const sizes = (process.env['MILLRACE_BENCH_PUSHES'] ?? '1,10,30,100').split(',').map(Number);
/** The limits for a burst of any size. */
const maxReads = 12;
const maxMs = 15_000;

interface Kind {
  readonly name: string;
  readonly policy: 'latest' | 'every';
  readonly workers: number;
  readonly refs: 'tags' | 'branch';
}

const kinds: readonly Kind[] = [
  { name: 'tags', policy: 'latest', workers: 1, refs: 'tags' },
  { name: 'tags, two workers', policy: 'latest', workers: 2, refs: 'tags' },
  { name: 'tags, policy: every', policy: 'every', workers: 1, refs: 'tags' },
  { name: 'tags, policy: every, two workers', policy: 'every', workers: 2, refs: 'tags' },
  { name: 'commits of a branch', policy: 'latest', workers: 1, refs: 'branch' },
];

interface Burst {
  readonly readsPerPush: number;
  /** Until the last push was taken in. */
  readonly ms: number;
  /** Attempts that failed, and were repeated later. */
  readonly failures: number;
}

/** Many pushes to one repository at once, with a GitHub that takes its time: the reads of each, and the time for all. */
export async function burst(): Promise<Row[]> {
  await using redis = await startBenchRedis();
  const rows: Row[] = [];
  for (const kind of kinds) {
    for (const size of sizes) {
      const { readsPerPush, ms, failures } = await measure(kind, size, redis);
      const what = `${size} pushes at once (${kind.name}), ${githubMs} ms for each answer of GitHub`;
      const limit = (value: number) => ({ referenceName: 'the limit', reference: sampleOf([value]) });
      rows.push(
        {
          what: `${what}: reads for each push`,
          ours: sampleOf([readsPerPush]),
          ...limit(maxReads),
          unit: '',
        },
        {
          what: `${what}: until all are taken in (${failures} failed for a while)`,
          ours: sampleOf([ms]),
          ...limit(maxMs),
        },
      );
    }
  }
  return rows;
}

async function measure(kind: Kind, size: number, redis: BenchRedis): Promise<Burst> {
  const env = await createWorkerEnvironment({ lanes: lanesOf(kind) });
  const slow = await openWire(env.github.url);
  slow.interfere(() => delay(githubMs, undefined));
  const pushes = await pushesOf(kind, size, env);
  let takenIn = 0;
  let failures = 0;
  const logger: Logger = {
    debug: () => {},
    info: (message) => void (takenIn += Number(message === 'Event ingested.')),
    warn: (message) => void (failures += Number(message === 'A job failed.')),
    error: () => {},
  };
  const apiUrl = env.github.apiUrl.replace(env.github.url, slow.baseUrl);
  const github = () => createGitHubPort({ apiUrl, access: tokenAccess(() => 'worker'), clock: systemClock });
  const options = env.options(redis);
  const workers = await Promise.all(
    Array.from({ length: kind.workers }, () => startWorker({ ...options, logger, github: github() })),
  );
  // The requests of a starting worker are not part of a push.
  await delay(1_000);
  const before = slow.calls.length;
  const begun = performance.now();
  await Promise.all(pushes.map((push, i) => deliver(workers[i % workers.length]?.url ?? '', push)));
  await until(() => takenIn >= size, 180_000);
  const ms = performance.now() - begun;
  const reads = slow.calls.slice(before).filter(({ method }) => method === 'GET').length;
  for (const worker of workers) await worker.close();
  await slow[Symbol.asyncDispose]();
  await env[Symbol.asyncDispose]();
  return { readsPerPush: reads / size, ms, failures };
}

const lanesOf = ({ policy, refs }: Kind): string => `
  - name: to-test
    on: { push: { ${refs === 'tags' ? 'tags: ["v*"]' : 'branches: [main]'} } }
    from: dev
    to: test
    policy: ${policy}
`;

/** The pushes in the order in which people would push them. */
async function pushesOf({ refs }: Kind, size: number, env: WorkerEnvironment): Promise<readonly Delivery[]> {
  const pushes: Delivery[] = [];
  let last = await env.repository.commit('main', { 'notes.txt': 'none' });
  for (let i = 0; i < size; i += 1) {
    const commit = await env.repository.commit('main', { 'notes.txt': `1.${i}.0` });
    if (refs === 'tags') await env.repository.tag(`v1.${i}.0`, commit);
    const ref = refs === 'tags' ? `refs/tags/v1.${i}.0` : 'refs/heads/main';
    pushes.push(await (refs === 'tags' ? env.push(ref) : env.push(ref, last)));
    last = commit;
  }
  return pushes;
}
