import { type Client, createClient } from '../../client/index.ts';
import type { PlatformContext } from '../../flows/context/context.ts';
import type { ReviewRequest } from '../../flows/review/scope/review-request.ts';
import { openRepository, type Repository } from '../../lib/git/repository.ts';
import { silentProgress } from '../../lib/core/ports/ports.ts';
import type { Platform, Seed } from '../../platform/index.ts';
import { shortWaits } from '../environment/clock.ts';
import { startProjectPlatform } from '../environment/project-platform.ts';
import type { TemporaryRepository } from '../lib/git/temporary-repository.ts';
import { type LossyProxy, startLossyProxy } from './lossy-proxy.ts';

/** A local platform, a proxy to it that can lose answers, a git repository, and the context of a flow. */
export interface FlowEnvironment extends AsyncDisposable {
  readonly platform: Platform;
  readonly proxy: LossyProxy;
  readonly context: PlatformContext;
  readonly client: Client;
  readonly work: TemporaryRepository;
  readonly repository: Repository;
  /** What was logged as warning or error. */
  readonly warnings: string[];
  /** Pushes to the remote that the platform reviews: `demo/warehouse`. */
  push(): void;
  /** Versions in an environment with their state, as the platform lists them. */
  versions(environment: string): Promise<Record<string, boolean>>;
}

export interface FlowEnvironmentOptions {
  readonly seed?: Partial<Seed>;
  readonly signal?: AbortSignal;
}

const defaultInclude = ['**/*.orch.yaml', '**/*.tran.yaml', '**/*.sql'];

/** The common fields of every publish in these tests. */
export function source(env: FlowEnvironment) {
  return { repository: env.repository, directory: '', commit: 'HEAD', include: defaultInclude };
}

export async function createFlowEnvironment({
  seed = {},
  signal,
}: FlowEnvironmentOptions = {}): Promise<FlowEnvironment> {
  const project = await startProjectPlatform(seed);
  const { platform, work } = project;
  const proxy = await startLossyProxy(platform.baseUrl);
  const client = createClient({
    baseUrl: proxy.url,
    auth: { token: platform.tokens.superAdmin },
    maxAttempts: 2,
    random: () => 0,
    clock: shortWaits,
  });
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const context: PlatformContext = {
    client,
    projectId: platform.projectId,
    clock: shortWaits,
    random: () => 0.5,
    logger: { debug() {}, info() {}, warn, error: warn },
    progress: silentProgress,
    signal: signal ?? new AbortController().signal,
  };
  return {
    platform,
    proxy,
    client,
    context,
    work,
    repository: await openRepository(work.directory),
    warnings,
    push: () => project.push(),
    versions: (environment) => project.versions(client, environment),
    async [Symbol.asyncDispose]() {
      await client.close();
      await proxy.close();
      await project[Symbol.asyncDispose]();
    },
  };
}

/** The smallest orchestration that runs to its end. */
export const smallPipeline = `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start:
      type: "start"
      transitions:
        unconditional: ["Work"]
    Work:
      type: "sql-executor"
      transitions:
        success: ["Done"]
      parameters:
        componentName: "Work"
        sqlScript: "select 1"
    Done:
      type: "end-success"
`;

/** A request to review all files of `source`. */
export function reviewRequestOf(env: FlowEnvironment, more: Partial<ReviewRequest> = {}): ReviewRequest {
  return {
    ...source(env),
    branch: 'main',
    scope: 'all',
    configDir: '.platform',
    agentVersion: '9.0.0',
    failOn: 'error',
    ...more,
  };
}
