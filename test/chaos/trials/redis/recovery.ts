import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createLaneStore } from '../../../../worker/app/lane-store.ts';
import { defaultSettings } from '../../../../worker/settings/settings.ts';
import { release } from '../../../environment/worker/lanes-at-work.ts';
import { webhookSecret, workerFile, workerToken } from '../../../environment/worker/worker-environment.ts';
import { effectsOf, repeated } from '../../environment/effects.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until } from '../../environment/until.ts';
import { millraceWorker, startWorkerProcess, type WorkerProcess } from '../../environment/worker-process.ts';
import { beginsAdvance } from '../../lines/redis-line.ts';
import { mustHold, type Trial } from '../../trial.ts';

const limitMs = 5_000;

/** Shorter than the worker waits for an answer: on a machine that is too slow, it would end its call itself. */
const ownEndMs = 15_000;

/** Nothing but the promotion, because only the takeover is measured. */
const lanes = `
  - name: to-test
    on: { push: { tags: ["v*"] } }
    from: dev
    to: test
`;

export const recovery: Trial = {
  id: 'P10',
  title: '`millrace worker` with its default times, killed while the platform answers a promotion',
  criterion: 'another running worker takes the promotion over within 5 s, and sends nothing twice',
  async run({ form, scale, log }) {
    const kills = form === 'short' ? 1 : Math.max(2, Math.round(200 * scale));
    const times: number[] = [];
    const slowest = (): number => Math.max(0, ...times);
    const note = (ms: number): void => {
      times.push(ms);
      log(`${times.length} kills, ${(slowest() / 1000).toFixed(1)} s at most`);
    };
    // Two at a time: more processes would test the machine, not the worker.
    const each = form === 'short' ? [1] : [Math.ceil(kills / 2), Math.floor(kills / 2)];
    await Promise.all(each.map((count) => killAgainAndAgain(count, note)));
    // A busy machine is slower; the short form only checks that the promotion continues.
    mustHold(form === 'short' || slowest() <= limitMs, `it took ${(slowest() / 1000).toFixed(1)} s`);
    const sorted = times.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return {
      kills: times.length,
      'median recovery, s': (median / 1000).toFixed(1),
      'slowest recovery, s': (slowest() / 1000).toFixed(1),
    };
  },
};

/** Kills the worker that promotes; the one that continues is killed next. */
async function killAgainAndAgain(count: number, note: (ms: number) => void): Promise<void> {
  await using server = await startRedisServer();
  await using env = await createTrialEnvironment(server, { lanes });
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-chaos-worker-'));
  const { services, lines, redisLine } = env;
  const store = createLaneStore(server.redis, keysUnder(defaultSettings.prefix), systemClock);
  writeFileSync(path.join(folder, 'worker.yaml'), workerFile());
  const command = millraceWorker(folder, {
    MILLRACE_REDIS_URL: redisLine.address.url,
    MILLRACE_BASE_URL: lines.platform,
    TOKEN: services.platform.tokens.admin,
    MILLRACE_GITHUB_TOKEN: 'worker',
    GITHUB_API_URL: lines.github,
    MILLRACE_WEBHOOK_SECRET: webhookSecret,
    MILLRACE_WORKER_TOKEN: workerToken,
  });
  await using workers = new AsyncDisposableStack();
  const start = async (): Promise<WorkerProcess> => workers.use(await startWorkerProcess(command));

  async function killOnce(first: WorkerProcess, version: string): Promise<WorkerProcess> {
    await release(services, version);
    const [reached, dead, continued] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<number>(),
    ];
    let killedAt = Infinity;
    env.watch(async ({ line, label, phase }): Promise<'pass' | 'cut'> => {
      // The advance that another worker begins.
      if (line === 'redis' && label === beginsAdvance && Date.now() >= killedAt)
        continued.resolve(Date.now());
      if (line !== 'platform' || phase !== 'after' || !/^POST .*promotions/.test(label)) return 'pass';
      reached.resolve();
      await dead.promise;
      return 'cut';
    });
    const push = await services.push(`refs/tags/${version}`);
    // A busy machine may not answer in time; it was accepted then, too.
    await until('the push is accepted', async () =>
      [200, 202].includes((await env.send(first.url, push)) ?? 0),
    );
    await reached.promise;
    const reachedAt = Date.now();
    const second = await start();
    if (Date.now() - reachedAt > ownEndMs) {
      second.signal('SIGKILL');
      dead.resolve();
      return first;
    }
    first.signal('SIGKILL');
    killedAt = Date.now();
    dead.resolve();
    note((await continued.promise) - killedAt);
    await until(`${version} passes`, async () => {
      const [id = ''] = await store.promotionIds(1);
      const promotion = await store.promotion(id);
      return promotion?.version === version && promotion.outcome === 'passed';
    });
    return second;
  }

  try {
    let worker = await start();
    let versions = 0;
    for (let killed = 0; killed < count; versions += 1) {
      const next = await killOnce(worker, `v1.${versions}.0`);
      if (next !== worker) killed += 1;
      worker = next;
    }
    const { promotions } = effectsOf(services);
    mustHold(repeated(promotions).length === 0, `twice: ${repeated(promotions).join(', ')}`);
    mustHold(promotions.length === versions, `${promotions.length} promotions of ${versions} versions`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
