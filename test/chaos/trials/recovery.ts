import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../../lib/core/system-clock.ts';
import { keysUnder } from '../../../worker/store/keys.ts';
import { createLaneStore } from '../../../worker/store/lane-store.ts';
import { defaultSettings } from '../../../worker/settings/settings.ts';
import { release, toTest } from '../../environment/worker/lanes-at-work.ts';
import { webhookSecret, workerFile, workerToken } from '../../environment/worker/worker-environment.ts';
import { startRedisServer } from '../environment/redis-server.ts';
import { createTrialEnvironment } from '../environment/trial-environment.ts';
import { until } from '../environment/until.ts';
import { millraceWorker, startWorkerProcess } from '../environment/worker-process.ts';
import { mustHold, type Trial } from '../trial.ts';

export const recovery: Trial = {
  id: 'P10',
  title: '`millrace worker` with its default times, killed during an advance',
  criterion: 'another running worker continues the promotion within 11 s',
  async run({ form, scale, log }) {
    const kills = form === 'short' ? 1 : Math.max(2, Math.round(8 * scale));
    const times: number[] = [];
    // Two at a time: more processes would test the machine, not the worker.
    while (times.length < kills) {
      const few = Math.min(2, kills - times.length);
      times.push(...(await Promise.all(Array.from({ length: few }, oneKill))));
      log(`${times.length} kills, ${(Math.max(...times) / 1000).toFixed(1)} s at most`);
    }
    const slowest = Math.max(...times);
    // A busy machine is slower; the short form only checks that the promotion continues.
    mustHold(form === 'short' || slowest <= 11_000, `it took ${(slowest / 1000).toFixed(1)} s`);
    return { kills, 'slowest recovery, s': (slowest / 1000).toFixed(1) };
  },
};

/** Gives the milliseconds from the death of a worker to the next call to the platform for its promotion. */
async function oneKill(): Promise<number> {
  await using server = await startRedisServer();
  await using env = await createTrialEnvironment(server, { lanes: toTest });
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
  try {
    await using first = await startWorkerProcess(command);
    await release(services, 'v1.0.0');
    const reached = Promise.withResolvers<void>();
    const dead = Promise.withResolvers<void>();
    const continued = Promise.withResolvers<number>();
    let held = false;
    env.watch(async ({ line, label, phase }): Promise<'pass' | 'cut'> => {
      if (line !== 'platform' || phase !== 'before' || label !== 'GET /artifacts/?test') return 'pass';
      if (held) {
        continued.resolve(Date.now());
        return 'pass';
      }
      held = true;
      reached.resolve();
      await dead.promise;
      return 'cut';
    });
    mustHold(
      (await env.send(first.url, await services.push('refs/tags/v1.0.0'))) === 202,
      'the push is taken',
    );
    await reached.promise;
    await using second = await startWorkerProcess(command);
    // A report whose sender died stays leased for forty seconds more, which is not what this trial measures.
    await until('all reports are sent', async () => {
      const [id = ''] = await store.promotionIds(1);
      const { report } = (await store.promotion(id)) ?? {};
      return report !== undefined && report.sent === report.seq;
    });
    first.signal('SIGKILL');
    const killedAt = Date.now();
    dead.resolve();
    const at = await continued.promise;
    await until(
      'the promotion ends',
      () => services.status(headOf(services), 'millrace/to-test')?.startsWith('success') === true,
    );
    mustHold(second.alive, 'the second worker lives');
    return at - killedAt;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function headOf({
  github,
}: {
  github: { repository(name: string): { statuses: readonly { sha: string }[] } };
}): string {
  return github.repository('example/warehouse').statuses[0]?.sha ?? '';
}
