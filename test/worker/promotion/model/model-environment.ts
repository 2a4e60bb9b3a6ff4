import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type Client, createClient } from '../../../../client/index.ts';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import { startPlatform } from '../../../../platform/index.ts';
import { openPorts, type WorkerPorts } from '../../../../worker/app/open-ports.ts';
import { defaultSettings } from '../../../../worker/settings/settings.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import type { TestRedis } from '../../../environment/redis.ts';
import {
  orchestration,
  projectId,
  repositoryId,
  repositoryName,
  workerFile,
} from '../../../environment/worker/worker-environment.ts';

/** The nth commit of the main branch; one with a letter is on no allowed branch. */
export const commitOf = (n: number, letter = '0'): string =>
  letter.repeat(8) + n.toString(16).padStart(32, '0');
const numberOf = (commit: string): number => Number.parseInt(commit.slice(8), 16);

/** A platform with a pair of environments for each history, and the ports of a worker whose promotions the test advances by itself. */
export interface ModelEnvironment {
  readonly ports: WorkerPorts;
  /** Past the worker. */
  readonly client: Client;
  readonly github: GitHubPort;
  /** The heads of refs on GitHub, by history and ref. */
  readonly heads: Map<string, string>;
  /** The result of the verification of a version in an environment. */
  readonly verdicts: Map<string, 'SUCCESS' | 'FAILED'>;
  /** Called after a promotion to an environment, before its answer. */
  readonly afterPromotion: Map<string, () => Promise<void>>;
  publish(environment: string, version: string, commit: string): Promise<void>;
}

export async function createModelEnvironment(redis: TestRedis, histories: number): Promise<ModelEnvironment> {
  const numbers = Array.from({ length: histories }, (_, i) => i);
  const platform = await startPlatform({
    seed: {
      projects: [
        {
          id: projectId,
          name: 'warehouse',
          connections: [{ name: 'warehouse-connection', authType: 'key_pair' }],
          environments: numbers.flatMap((n) => [`dev-${n}`, `test-${n}`]),
        },
      ],
      credentials: [{ name: 'worker', role: 'admin' }],
      settings: { componentTime: 1 },
    },
  });
  const client = createClient({ baseUrl: platform.baseUrl, auth: { token: platform.tokens.admin } });
  const prefix = `{m-${randomUUID().slice(0, 8)}}`;
  const connection = redis.connect();
  await connection.set(keysUnder(prefix).state, 'new');
  const heads = new Map<string, string>();
  const verdicts: ModelEnvironment['verdicts'] = new Map();
  const afterPromotion: ModelEnvironment['afterPromotion'] = new Map();
  const github = githubOf(heads);
  const config = readWorkerConfig(
    workerFile(`
    branches: [main]
    tags: ["v*"]
    environments: [${numbers.map((n) => `test-${n}`).join(', ')}]
    pipelines: ["**"]
`),
    'worker.yaml',
  );
  const ports = openPorts({
    planSecrets: () => ['webhook-secret-of-the-test'],
    config,
    redis: connection,
    settings: { ...defaultSettings, prefix, liveMs: 86_400_000 },
    clock: systemClock,
    random: () => 0.5,
    logger: silentLogger,
    createClientFor: (_, middlewares) => {
      const real = createClient({
        baseUrl: platform.baseUrl,
        auth: { token: platform.tokens.admin },
        middlewares,
      });
      return withVerdicts(real, verdicts, afterPromotion);
    },
    requestsPerMinute: () => 10_000_000,
    github,
    onError: () => undefined,
  });
  onTestFinished(async () => {
    await ports.close();
    await client.close();
    await platform.close();
  });
  return {
    ports,
    client,
    github,
    heads,
    verdicts,
    afterPromotion,
    async publish(environmentName, versionName, commitHash) {
      const bytes = Buffer.from(orchestration);
      const files = [{ path: 'daily/load.orch.yaml', bytes: bytes.length, open: () => bytes }];
      await client.artifacts.create({ projectId, versionName, environmentName, commitHash, files });
    },
  };
}

/** The platform starts executions, and each has ended by its first poll, with the verdict of its version. */
function withVerdicts(
  client: Client,
  verdicts: ModelEnvironment['verdicts'],
  afterPromotion: ModelEnvironment['afterPromotion'],
): Client {
  const { artifacts, executions } = client;
  return {
    ...client,
    artifacts: {
      ...artifacts,
      async promote(input, options) {
        const answer = await artifacts.promote(input, options);
        await afterPromotion.get(input.targetEnvironmentName)?.();
        return answer;
      },
    },
    executions: {
      ...executions,
      async start(input, options) {
        const { environmentName, versionName = '' } = input;
        // Histories take no time: an execution may still run when the next one starts.
        await executions.start({ ...input, executionTag: randomUUID() }, options);
        return { pipelineExecutionId: `${environmentName} ${versionName}` };
      },
      get: async ({ pipelineExecutionId }) => ({
        result: { status: verdicts.get(pipelineExecutionId) ?? 'SUCCESS', message: '' },
      }),
    },
  };
}

/** A main branch with a commit for each number. */
function githubOf(heads: ReadonlyMap<string, string>): GitHubPort {
  const none = (): never => {
    throw new Error('not part of the model');
  };
  const port: Partial<GitHubPort> = {
    repository: async (id) => ({ id, fullName: repositoryName, defaultBranch: 'main' }),
    branches: async () => [{ name: 'main', commit: commitOf(1_000_000) }],
    head: async (_, ref) => heads.get(ref),
    relation: async (_, base, head) => {
      if (base.slice(0, 8) !== head.slice(0, 8)) return 'diverged';
      const ahead = numberOf(head) - numberOf(base);
      if (ahead === 0) return 'identical';
      return ahead > 0 ? 'ahead' : 'behind';
    },
    committedAt: async (_, commit) => numberOf(commit),
    taggedAt: async () => undefined,
  };
  return new Proxy(port as GitHubPort, {
    get: (target, name) => Reflect.get(target, name) ?? none,
  });
}

export { projectId, repositoryId };
