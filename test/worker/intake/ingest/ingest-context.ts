import { onTestFinished } from 'vitest';
import { readWorkerConfig, type WorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { type Clock, silentLogger } from '../../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import { createEarlyReader } from '../../../../worker/intake/ingest/early-reads.ts';
import { createIngestOrder } from '../../../../worker/intake/ingest/ingest-order.ts';
import { createMatchedPushes } from '../../../../worker/intake/ingest/matched-pushes.ts';
import { createRefChain } from '../../../../worker/intake/ingest/ref-chain.ts';
import { openPorts } from '../../../../worker/app/open-ports.ts';
import { defaultSettings } from '../../../../worker/settings/settings.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import type { TestRedis } from '../../../environment/redis.ts';
import { workerFile } from '../../../environment/worker/worker-environment.ts';

interface IngestOptions {
  readonly config?: WorkerConfig;
  readonly clock?: Clock;
}

/** What a worker needs to ingest pushes, over a connection of its own; it promotes nothing. */
export function createIngestContext(
  redis: TestRedis,
  prefix: string,
  github: GitHubPort,
  { config = readWorkerConfig(workerFile(), 'worker.yaml'), clock = systemClock }: IngestOptions = {},
) {
  const connection = redis.connect();
  const keys = keysUnder(prefix);
  // Before anything else that goes over it.
  void connection.set(keys.state, 'new');
  const ports = openPorts({
    planSecrets: () => ['webhook-secret-of-the-test'],
    config,
    redis: connection,
    settings: { ...defaultSettings, prefix, headWaitMs: 1 },
    clock,
    random: Math.random,
    logger: silentLogger,
    createClientFor: () => {
      throw new Error('nothing is promoted here');
    },
    github,
    onError: () => {},
  });
  onTestFinished(() => ports.close());
  const order = createIngestOrder(connection, keys, ports.queues);
  return {
    connection,
    keys,
    ports,
    context: {
      config,
      github,
      ports,
      chain: createRefChain(connection, keys, clock),
      order,
      matched: createMatchedPushes(connection, keys),
      early: createEarlyReader(ports.store, order),
      reportRefusal: async () => {},
      guard: { isRebuilding: async () => false },
    },
  };
}
