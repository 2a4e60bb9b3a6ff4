import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, createClient } from '../../client/index.ts';
import type { PlatformContext } from '../../flows/context/context.ts';
import { openRepository, type Repository } from '../../lib/git/repository.ts';
import { silentProgress } from '../../lib/core/ports.ts';
import { systemClock } from '../../lib/core/system-clock.ts';
import { type Platform, type Seed, startPlatform } from '../../platform/index.ts';
import { type TemporaryRepository, temporaryRepository } from '../lib/git/temporary-repository.ts';
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
  const { defaultSeed } = await import('../../platform/index.ts');
  const work = temporaryRepository();
  const gitRoot = mkdtempSync(path.join(tmpdir(), 'millrace remote '));
  const platform = await startPlatform({
    gitRoot,
    seed: { ...defaultSeed, settings: { componentTime: '5ms' }, ...seed },
    checkAnswers: true,
  });
  const proxy = await startLossyProxy(platform.baseUrl);
  const client = createClient({
    baseUrl: proxy.url,
    auth: { token: platform.tokens.superAdmin },
    maxAttempts: 2,
    random: () => 0,
  });
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const context: PlatformContext = {
    client,
    projectId: platform.projectId,
    // The pauses between two polls are real, but short.
    clock: { now: systemClock.now, sleep: (ms, cancel) => systemClock.sleep(Math.min(ms, 20), cancel) },
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
    push() {
      const remote = path.join(gitRoot, 'demo', 'warehouse');
      if (!existsSync(remote)) work.git('clone', '-q', '--bare', '.', remote);
      else work.git('push', '-q', '--force', '--all', remote);
    },
    async versions(environment) {
      const found: Record<string, boolean> = {};
      const list = client.artifacts.list({
        projectId: platform.projectId,
        environmentName: environment,
        includeDisabled: true,
      });
      for await (const { versionName, enabled } of list) found[versionName] = enabled;
      return found;
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await proxy.close();
      await platform.close();
      work[Symbol.dispose]();
      rmSync(gitRoot, { recursive: true, force: true });
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
