import type { Admission } from '../../../worker/store/admission.ts';
import type { Records } from '../../../worker/promotion/context/ports.ts';
import { onTestFinished } from 'vitest';
import { createClient, type Middleware } from '../../../client/index.ts';
import { readWorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../../worker/store/scripts/keys.ts';
import { openPorts, type WorkerPorts } from '../../../worker/app/open-ports.ts';
import type { PromotionLane } from '../../../worker/records/promotion-task.ts';
import { defaultSettings } from '../../../worker/settings/settings.ts';
import type { TestRedis } from '../../environment/redis.ts';
import { release } from '../../environment/worker/lanes-at-work.ts';
import {
  projectId,
  repositoryId,
  type WorkerEnvironment,
  workerFile,
} from '../../environment/worker/worker-environment.ts';
import type { Wire } from '../../environment/worker/wire.ts';
import { promotionTask } from '../store/promotion-task.ts';

/** The ports of a worker without its consumers: the test alone advances promotions. */
export function portsOn(
  redis: TestRedis,
  env: WorkerEnvironment,
  wire: Wire,
  inner: readonly Middleware[] = [],
): WorkerPorts {
  const connection = redis.connect();
  // Before anything else that goes over it.
  void connection.set(keysUnder(env.prefix).state, 'new');
  const ports = openPorts({
    planSecrets: () => ['webhook-secret-of-the-test'],
    config: readWorkerConfig(workerFile(), 'worker.yaml'),
    redis: connection,
    settings: { ...defaultSettings, prefix: env.prefix, pollScale: 0.05 },
    clock: systemClock,
    random: Math.random,
    logger: silentLogger,
    createClientFor: (_, middlewares) => ({
      ...createClient({
        baseUrl: wire.baseUrl,
        auth: { token: env.platform.tokens.admin },
        middlewares: [...middlewares, ...inner],
      }),
      // All wires lead to one platform.
      baseUrl: env.platform.baseUrl,
    }),
    github: env.options(redis).github,
    // The bucket fills by the real clock.
    requestsPerMinute: () => 1_000_000,
    onError: () => undefined,
  });
  onTestFinished(() => ports.close());
  return ports;
}

/** A promotion of v1.0.0 that has its lane. */
export async function acceptedPromotion(
  env: WorkerEnvironment,
  { store }: Records<Admission>,
  lane: Partial<PromotionLane> = {},
): Promise<string> {
  const commit = await release(env, 'v1.0.0');
  const task = promotionTask('v1.0.0', { repository: repositoryId, project: projectId, commit, id: 'lane' });
  await store.accept({
    promotionId: 'r1',
    order: 'differs',
    head: { field: 'refs/tags/v1.0.0', value: commit },
    task: { ...task, lane: { ...task.lane, ...lane } },
  });
  return 'r1';
}
