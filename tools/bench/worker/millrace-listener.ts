import { openSync, writeSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import type { Redis } from 'ioredis';
import { createGitHubPort } from '../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../lib/github/access/github-access.ts';
import { createClient } from '../../../client/index.ts';
import { readWorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { createCanaries } from '../../../worker/store/jobs/canaries.ts';
import { createHttpServer } from '../../../worker/app/http-server.ts';
import { createJsonLogger } from '../../../worker/telemetry/json-logger.ts';
import { keysUnder } from '../../../worker/store/scripts/keys.ts';
import { createAccess } from '../../../worker/web/sign-in/access.ts';
import { createDirectory } from '../../../worker/operators/directory.ts';
import { createSessions } from '../../../worker/web/sign-in/sessions.ts';
import { openQueues } from '../../../worker/store/jobs/work-queues.ts';
import { createInbox } from '../../../worker/intake/receiver/inbox.ts';
import { createReceiver } from '../../../worker/intake/receiver/receive-webhook.ts';
import { openPorts } from '../../../worker/app/open-ports.ts';
import { defaultSettings } from '../../../worker/settings/settings.ts';

const workerFile = `version: 1
credentials: { platform: { token-env: TOKEN } }
repositories:
  - { id: 77, name: example/warehouse, projects: [3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b], credential: platform,
      branches: [main], tags: [], environments: [test], pipelines: ["**"] }
`;

interface Parts {
  readonly redis: Redis;
  readonly prefix: string;
  readonly secret: string;
}

/**
 * The whole HTTP side of a worker as it is started for production (routes, metrics, the log of deliveries, a JSON line
 * for each), without the workers behind the queues, because they would use the same cores.
 */
export async function millraceListener({ redis, prefix, secret }: Parts): Promise<RequestListener> {
  const settings = { ...defaultSettings, prefix };
  const config = readWorkerConfig(workerFile, 'worker.yaml');
  const clock = systemClock;
  const nowhere = openSync('/dev/null', 'w');
  const write = (line: string): void => void writeSync(nowhere, line);
  const logger = createJsonLogger(write, { redact: (text) => text, verbose: false });
  const onError = (error: Error): void => logger.warn(error.message);
  const queues = openQueues(redis, prefix, onError);
  const engine = openPorts({
    planSecrets: () => ['webhook-secret-of-the-test'],
    config,
    redis,
    settings,
    clock,
    random: Math.random,
    logger,
    createClientFor: () => createClient({ baseUrl: 'http://127.0.0.1:9', auth: { token: 'none' } }),
    github: createGitHubPort({ apiUrl: 'http://127.0.0.1:9', access: tokenAccess(() => 'none'), clock }),
    onError,
  });
  const directory = createDirectory([], undefined);
  const access = createAccess(directory, createSessions(redis, keysUnder(prefix), directory));
  const server = createHttpServer({
    receive: createReceiver({
      ...settings,
      secrets: () => ({ common: [secret], byRepository: new Map() }),
      isServed: (id) => config.repositories.some((repository) => repository.id === id),
      inbox: createInbox(redis, keysUnder(prefix), queues),
      clock,
      logger,
      failures: engine.failures,
    }),
    ports: engine,
    redis,
    requestWithinMs: settings.requestWithinMs,
    canaries: createCanaries({
      worker: 'bench',
      clock,
      everyMs: settings.canaryMs,
      limitMs: settings.canaryLimitMs,
      send: async () => undefined,
    }),
    access,
    logger,
    isStopping: () => false,
    accessStates: () => [],
  });
  await server.ready();
  return (request, response) => void server.server.emit('request', request, response);
}
