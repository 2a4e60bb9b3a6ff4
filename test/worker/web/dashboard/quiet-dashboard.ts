import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import type { Redis } from 'ioredis';
import { createClient } from '../../../../client/index.ts';
import type { WorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../../lib/github/access/github-access.ts';
import { createDirectory } from '../../../../worker/operators/directory.ts';
import { openPorts, type WorkerPorts } from '../../../../worker/app/open-ports.ts';
import { defaultSettings, type WorkerSettings } from '../../../../worker/settings/settings.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createAccess } from '../../../../worker/web/sign-in/access.ts';
import { registerWeb } from '../../../../worker/web/register-web.ts';
import { createSessions } from '../../../../worker/web/sign-in/sessions.ts';
import { noJobs } from '../no-jobs.ts';

export interface QuietDashboard extends AsyncDisposable {
  readonly url: string;
  /** Of the keys in Redis. */
  readonly prefix: string;
  readonly ports: WorkerPorts;
}

/** The pages of a worker that does nothing else: the records stay as a test has written them. */
export async function quietDashboard(
  redis: Redis,
  config: WorkerConfig,
  settings: Partial<WorkerSettings> = {},
): Promise<QuietDashboard> {
  const prefix = `{${randomUUID()}}`;
  // Nothing answers there.
  const nowhere = 'http://127.0.0.1:9';
  const ports = openPorts({
    planSecrets: () => ['webhook-secret-of-the-test'],
    config,
    redis,
    settings: { ...defaultSettings, ...settings, prefix },
    clock: systemClock,
    random: Math.random,
    logger: silentLogger,
    createClientFor: (_, middlewares) =>
      createClient({ baseUrl: nowhere, auth: { token: 't' }, middlewares }),
    github: createGitHubPort({ apiUrl: nowhere, access: tokenAccess(() => 't'), clock: systemClock }),
    onError: () => undefined,
  });
  const directory = createDirectory(config.operators, undefined);
  const server = fastify({ routerOptions: { maxParamLength: 1_024 } });
  registerWeb(server, {
    ports,
    redis,
    access: createAccess(directory, createSessions(redis, keysUnder(prefix), directory)),
    canaries: noJobs,
    logger: silentLogger,
    isStopping: () => false,
    accessStates: () => [],
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    prefix,
    ports,
    async [Symbol.asyncDispose]() {
      await server.close();
      await ports.close();
    },
  };
}
