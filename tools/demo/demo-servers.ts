import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, createClient } from '../../client/index.ts';
import { silentLogger } from '../../lib/core/ports/ports.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { hasDuckdb } from '../../engine/index.ts';
import { type Platform, type Seed, startPlatform } from '../../platform/index.ts';
import {
  buildRepository,
  type GitHub,
  type RepositoryBuilder,
  startGitHub,
} from '../../local-github/index.ts';
import { exampleData } from '../../cli/demo/demo-seed.ts';
import { removeKeys } from '../../cli/demo/remove-keys.ts';
import { startEmbeddedRedis } from '../../lib/redis/server/embedded-redis.ts';
import { provideServerBinary } from '../../lib/redis/server/provide-server-binary.ts';
import type { RedisAddress } from '../../lib/redis/address/redis-address.ts';
import { checkRedis } from '../../lib/redis/connection/redis-facts.ts';
import { startWorkerProcess, type WorkerProcess } from './start-worker-process.ts';

export const repository = 'demo/warehouse';
/** The token of the workflows. Its permissions: annotations, comments, statuses. */
const githubToken = 'workflow-token';
export const webhookSecret = 'a secret of the demo';
export const workerToken = 'token-of-the-demo';

/** The servers that run during the demo. */
export interface DemoServers extends AsyncDisposable {
  readonly folder: string;
  readonly builder: RepositoryBuilder;
  readonly platform: Platform;
  readonly github: GitHub;
  readonly githubToken: string;
  readonly client: Client;
  /**
   * Starts a worker for a project. Any number of workers can work together. `moreLines`: text after the repository's entry
   * in worker.yaml.
   */
  startWorkerFor(projectId: string, moreLines?: string): Promise<WorkerProcess>;
}

export interface DemoServerOptions {
  /** The environment, for PATH, proxies and `MILLRACE_REDIS_URL`. */
  readonly environment: NodeJS.ProcessEnv;
  /** Folder in which the Redis package of the distribution is unpacked. */
  readonly unpacked: string;
}

/** Starts the local platform and the stand-in for GitHub, both on one folder of git repositories. */
export async function startDemoServers(options: DemoServerOptions): Promise<DemoServers> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-demo-'));
  const closing = new AsyncDisposableStack();
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  try {
    // Start Redis first, so that a missing Redis is reported at the start of the demo.
    const redis = await openRedis(options, folder, closing);
    const gitRoot = path.join(folder, 'git');
    const builder = await buildRepository(gitRoot, repository, options.environment);
    const platform = closing.use(await startPlatform({ gitRoot, seed: await demoSeed() }));
    const github = closing.use(
      await startGitHub({
        gitRoot,
        environment: options.environment,
        tokens: {
          [githubToken]: { permissions: { contents: 'read', pull_requests: 'write', statuses: 'write' } },
        },
      }),
    );
    const client = closing.use(
      createClient({ baseUrl: platform.baseUrl, auth: { token: platform.tokens.superAdmin } }),
    );
    return {
      folder,
      builder,
      platform,
      github,
      githubToken,
      client,
      async startWorkerFor(projectId, moreLines = '') {
        return closing.use(
          await startWorkerProcess({
            workerFile: `${workerFileFor({ platform, github }, projectId)}${moreLines}`,
            redis,
            prefix: prefixOf(folder),
            platformUrl: platform.baseUrl,
            platformToken: platform.tokens.superAdmin,
            githubApiUrl: github.apiUrl,
            githubToken,
            webhookSecret,
            workerToken,
          }),
        );
      },
      [Symbol.asyncDispose]: () => closing.disposeAsync(),
    };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

/**
 * One pipeline is slow, so that the demo can show a busy execution tag, and another takes a second, so that a worker can be
 * killed while it runs. With DuckDB, the pipelines run: the files that
 * they load from the outside are here.
 */
async function demoSeed(): Promise<Seed> {
  const { executions = [], tables = [] } = exampleData;
  return {
    settings: { componentTime: '15ms', execution: (await hasDuckdb()) ? 'engine' : 'simulate' },
    credentials: [{ name: 'demo', role: 'superAdmin' }],
    tables,
    executions: [
      { pipeline: 'Month End/close', environment: 'dev', after: '60s' },
      ...executions.map((one) => ({ ...one, after: '1s' })),
    ],
  };
}

async function openRedis(
  { environment, unpacked }: DemoServerOptions,
  folder: string,
  closing: AsyncDisposableStack,
): Promise<RedisAddress> {
  const url = environment.MILLRACE_REDIS_URL;
  if (url !== undefined && url !== '') {
    const address = { kind: 'url', url } as const;
    await checkRedis(address);
    // The Redis of the user: remove the keys of the demo afterwards.
    closing.defer(() => removeKeys(address, prefixOf(folder)));
    return address;
  }
  const embedded = await startEmbeddedRedis({
    directory: path.join(folder, 'redis'),
    findBinary: () => provideServerBinary({ environment, unpacked, logger: silentLogger }),
    logger: silentLogger,
    clock: systemClock,
  });
  closing.defer(() => embedded.close());
  return embedded.address;
}

/** A Redis of the user may contain other data, so every demo has its own key prefix. */
function prefixOf(folder: string): string {
  return `{${path.basename(folder)}}`;
}

/** A worker.yaml that limits the worker to this repository and project. */
function workerFileFor(
  { platform, github }: { platform: Platform; github: GitHub },
  projectId: string,
): string {
  return `version: 1
credentials:
  demo: { base-url: "${platform.baseUrl}", token-env: DEMO_TOKEN }
repositories:
  - id: ${github.repository(repository).id}
    name: ${repository}
    projects: [${projectId}]
    branches: [main]
    tags: ["v*"]
    environments: [test, prod]
    pipelines: ["daily/load"]
    credential: demo
`;
}
