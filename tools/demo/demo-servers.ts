import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exampleData } from '../../cli/demo/demo-seed.ts';
import { openDemoRedis, prefixOf } from '../../cli/demo/open-demo-redis.ts';
import { type Servers, startServers } from '../../cli/demo/servers.ts';
import { hasDuckdb } from '../../engine/index.ts';
import { Secret } from '../../lib/config/environment/secret.ts';
import { silentLogger, silentProgress } from '../../lib/core/ports/ports.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import type { Seed } from '../../platform/index.ts';
import { type DemoSource, type LeftOut, startDemoSource } from './demo-source.ts';
import { startWorkerProcess, type WorkerProcess } from './start-worker-process.ts';

export const repository = 'demo/warehouse';
/** The token of the workflows. Its permissions: annotations, comments, statuses. */
const githubToken = 'workflow-token';
export const webhookSecret = 'a secret of the demo';
export const workerToken = 'token-of-the-demo';

/** The servers that run during the demo. */
export interface DemoServers extends Servers {
  readonly folder: string;
  readonly githubToken: string;
  /** The PostgreSQL server from which the demo streams, or why there is none. */
  readonly source: DemoSource | LeftOut;
  /**
   * Starts a worker for a project. Any number of workers can work together. `moreLines`: text after the repository's entry
   * in worker.yaml. `variables`: environment variables of its process.
   */
  startWorkerFor(
    projectId: string,
    moreLines?: string,
    variables?: NodeJS.ProcessEnv,
  ): Promise<WorkerProcess>;
}

export interface DemoServerOptions {
  /** The environment, for PATH, proxies and `MILLRACE_REDIS_URL`. */
  readonly environment: NodeJS.ProcessEnv;
  /** Folder in which the Redis package of the distribution is unpacked. */
  readonly unpacked: string;
}

/** Starts the local platform and the stand-in for GitHub, both on one folder of git repositories. */
export async function startDemoServers({ environment, unpacked }: DemoServerOptions): Promise<DemoServers> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-demo-'));
  const closing = new AsyncDisposableStack();
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  try {
    const starting = startDemoSource(folder);
    // Start Redis first, so that a missing Redis is reported at the start of the demo.
    const redisUrl = environment.MILLRACE_REDIS_URL ?? '';
    const redis = await openDemoRedis({
      url: redisUrl === '' ? undefined : new Secret(redisUrl),
      data: folder,
      keep: false,
      environment,
      unpacked,
      clock: systemClock,
      logger: silentLogger,
      progress: silentProgress,
    });
    closing.defer(() => redis.close());
    const source = await starting;
    // After the platform, which removes what it has there.
    if ('seed' in source) closing.use(source);
    const servers = closing.use(
      await startServers({
        gitRoot: path.join(folder, 'git'),
        repository,
        environment,
        platform: { seed: await demoSeed(source) },
        github: {
          tokens: {
            [githubToken]: { permissions: { contents: 'read', pull_requests: 'write', statuses: 'write' } },
          },
        },
        clock: systemClock,
        random: Math.random,
        logger: silentLogger,
      }),
    );
    const { platform, github } = servers;
    return {
      folder,
      ...servers,
      githubToken,
      source,
      async startWorkerFor(projectId, moreLines = '', variables = {}) {
        return closing.use(
          await startWorkerProcess(
            {
              workerFile: `${workerFileFor({ platform, github }, projectId)}${moreLines}`,
              redis: redis.address,
              prefix: prefixOf(folder),
              platformUrl: platform.baseUrl,
              platformToken: platform.tokens.superAdmin,
              githubApiUrl: github.apiUrl,
              githubToken,
              webhookSecret,
              workerToken,
            },
            variables,
          ),
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
async function demoSeed(source: DemoSource | LeftOut): Promise<Seed> {
  const { executions = [], tables = [] } = exampleData;
  return {
    settings: {
      componentTime: '15ms',
      execution: (await hasDuckdb()) ? 'engine' : 'simulate',
      streaming: 'seed' in source ? 'engine' : 'simulate',
    },
    ...('seed' in source ? source.seed : {}),
    credentials: [{ name: 'demo', role: 'superAdmin' }],
    tables,
    executions: [
      { pipeline: 'Month End/close', environment: 'dev', after: '60s' },
      ...executions.map((execution) => ({ ...execution, after: '1s' })),
    ],
  };
}

/** A worker.yaml that limits the worker to this repository and project. */
function workerFileFor(
  { platform, github }: Pick<Servers, 'platform' | 'github'>,
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
