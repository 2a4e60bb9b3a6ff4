import path from 'node:path';
import type { WorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import { type Check, check, checkTimeoutMs } from '../../flows/doctor/doctor.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { readSignIn } from '../worker/github-sign-in.ts';
import type { Session } from '../kit/session.ts';
import { platformAccess, repositorySecrets, webhookSecrets } from '../worker/worker-access.ts';

/** Checks the webhook secret, Redis, and each credential and project of `worker.yaml` on the platform. Reads only. */
export async function checkWorkerHost(config: WorkerConfig, session: Session): Promise<readonly Check[]> {
  return [
    await check('webhook secret', async () => {
      const common = numberOf(webhookSecrets(config, session).length, 'secret is set', 'secrets are set');
      const ownSecrets = repositorySecrets(config, session).size;
      return ownSecrets === 0
        ? common
        : `${common}; ${numberOf(ownSecrets, 'repository has', 'repositories have')} their own`;
    }),
    ...(await checkSignIn(config, session)),
    await check('Redis', () => describeRedis(session)),
    ...(await checkCredentials(config, session)),
  ];
}

/** No check if operators cannot sign in with GitHub and need not. */
async function checkSignIn(config: WorkerConfig, session: Session): Promise<readonly Check[]> {
  let isConfigured = true;
  const checked = await check('sign-in with GitHub', async () => {
    const app = readSignIn(config, session);
    isConfigured = app !== undefined;
    return app === undefined
      ? ''
      : `app ${app.clientId} at ${app.webUrl}; its callback address must be ${app.redirectUri}`;
  });
  return isConfigured ? [checked] : [];
}

async function describeRedis({ io, settings }: Session): Promise<string> {
  if (settings.redisUrl !== undefined) {
    const { checkRedis } = await import('../../lib/redis/connection/redis-facts.ts');
    const { describeRedisAddress } = await import('../../lib/redis/address/redis-address.ts');
    const address = { kind: 'url', url: settings.redisUrl.reveal() } as const;
    return `version ${(await checkRedis(address)).version} at ${describeRedisAddress(address)}`;
  }
  const reason = 'MILLRACE_REDIS_URL is not set, so the worker starts its own Redis';
  const { findServerBinary } = await import('../../lib/redis/server/server-binary.ts');
  const unpacked = path.resolve(io.cwd, '.millrace', 'redis');
  const server = await findServerBinary({ environment: io.env, unpacked });
  if (server !== undefined) return `${reason}: ${server.binary}, version ${server.version}`;
  const { missingServer } = await import('../../lib/redis/server/provide-server-binary.ts');
  if (io.env['MILLRACE_INSTALL'] === 'never') throw missingServer();
  return `${reason}; no Redis is installed here, so the first start downloads the package of the distribution`;
}

/** Checks each credential once, then the projects that use it. */
async function checkCredentials(config: WorkerConfig, session: Session): Promise<readonly Check[]> {
  const { openPlatformClient } = await import('../../flows/context/open-platform-client.ts');
  const { io, flow } = session;
  const call = { signal: flow.signal, deadlineMs: checkTimeoutMs };
  const checks: Check[] = [];
  for (const [name, repositories] of Map.groupBy(config.repositories, ({ credential }) => credential)) {
    const onPlatform: Check[] = [];
    const opened = await check(`credential ${name}`, async () => {
      await using client = openPlatformClient({
        ...flow,
        environment: io.env,
        ...platformAccess(config, session, name),
      });
      const { total } = await client.projects.list({ size: 1 }, call);
      for (const { projects, name: repository } of repositories) {
        for (const projectId of projects) {
          onPlatform.push(
            await check(`project ${projectId} of ${repository}`, async () => {
              const names: string[] = [];
              for await (const environment of client.environments.list({ projectId }, call))
                names.push(environment.name);
              return `has the environments ${names.join(', ') || '(none)'}`;
            }),
          );
        }
      }
      return `platform reached; ${numberOf(total, 'project is', 'projects are')} visible`;
    });
    checks.push(opened, ...onPlatform);
  }
  return checks;
}
