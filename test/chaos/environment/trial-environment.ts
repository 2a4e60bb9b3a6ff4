import path from 'node:path';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import type { RedisAddress } from '../../../lib/redis/address/redis-address.ts';
import { keysUnder } from '../../../worker/store/scripts/keys.ts';
import { createLaneStore, type LaneStore } from '../../../worker/app/lane-store.ts';
import type { WorkerSettings } from '../../../worker/settings/settings.ts';
import type { ProcessOptions } from '../../worker/crash/worker-process.ts';
import { appKey } from '../../lib/github/app.ts';
import {
  type Delivery,
  deliver,
  noLimits,
  type WorkerEnvironment,
  createWorkerEnvironment,
  type WorkerEnvironmentOptions,
} from '../../environment/worker/worker-environment.ts';
import { openHttpLine } from '../lines/http-line.ts';
import type { Watch } from '../lines/moment.ts';
import { openRedisLine, type RedisLine } from '../lines/redis-line.ts';
import type { RedisServer } from './redis-server.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

/** One project, its platform, its GitHub and its workers, each behind a line that is watched. */
export interface TrialEnvironment extends AsyncDisposable {
  readonly services: WorkerEnvironment;
  readonly server: RedisServer;
  readonly store: LaneStore;
  readonly redisLine: RedisLine;
  readonly lines: { readonly platform: string; readonly github: string };
  /**
   * Starts a worker with short times; it is killed with the environment. `redis`: for a worker with a line of its own.
   * `redisReplicas`, `stateDirectory`, `policy`, `operators`: as in worker.yaml.
   */
  start(
    settings?: Partial<WorkerSettings>,
    redis?: RedisAddress,
    options?: Pick<ProcessOptions, 'redisReplicas' | 'stateDirectory' | 'policy' | 'operators'>,
  ): Promise<WorkerProcess>;
  /** Replaces what watches the lines. */
  watch(watch: Watch | undefined): void;
  /** As a sender does: the status, or undefined where no answer came. */
  send(url: string, delivery: Delivery): Promise<number | undefined>;
}

/** So short that a trial need not wait, so long that a busy machine keeps them. */
export const shortTimes: Partial<WorkerSettings> = {
  pollScale: 0.05,
  reconcileMs: 500,
  lockMs: 1_500,
  stalledMs: 500,
  reportLeaseMs: 4_000,
  githubLimits: noLimits,
};

const workerScript = path.resolve(import.meta.dirname, '../../worker/crash/worker-process.ts');

interface TrialEnvironmentOptions extends WorkerEnvironmentOptions {
  /** False: workers bypass the lines, which costs much less where no trial watches them. */
  readonly watched?: boolean;
}

export async function createTrialEnvironment(
  server: RedisServer,
  { watched = true, ...options }: TrialEnvironmentOptions,
): Promise<TrialEnvironment> {
  const closing = new AsyncDisposableStack();
  const services = closing.use(await createWorkerEnvironment(options));
  let current: Watch | undefined;
  const watch: Watch = (moment) => current?.(moment) ?? 'pass';
  const redisLine = closing.use(await openRedisLine(server.socket, watch));
  const platform = closing.use(await openHttpLine('platform', services.platform.baseUrl, watch));
  const github = closing.use(await openHttpLine('github', services.github.apiUrl, watch));
  return {
    services,
    server,
    store: createLaneStore(server.redis, keysUnder(services.prefix), systemClock),
    redisLine,
    lines: { platform: platform.url, github: github.url },
    async start(settings = {}, redis = watched ? redisLine.address : server.address, own = {}) {
      const processOptions: ProcessOptions = {
        ...own,
        redis,
        settings: { ...shortTimes, ...settings, prefix: services.prefix },
        platform: watched ? platform.url : services.platform.baseUrl,
        token: services.platform.tokens.admin,
        github: watched ? github.url : services.github.apiUrl,
        ...(options.targets === undefined ? {} : { targets: options.targets }),
        // A GitHub with an App has it for its worker.
        ...(options.github?.app === undefined
          ? {}
          : { app: { appId: options.github.app.id, privateKey: appKey } }),
      };
      return closing.use(
        await startWorkerProcess({
          args: [workerScript, JSON.stringify(processOptions)],
          address: /http:\/\/\S+/,
        }),
      );
    },
    watch: (next) => void (current = next),
    async send(url, delivery) {
      try {
        return (await deliver(url, delivery)).status;
      } catch {
        return undefined;
      }
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
