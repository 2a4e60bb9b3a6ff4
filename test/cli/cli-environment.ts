import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, createClient } from '../../client/index.ts';
import { defaultSeed, type Platform, type Seed, startPlatform } from '../../platform/index.ts';
import { type TemporaryRepository, temporaryRepository } from '../lib/git/temporary-repository.ts';
import { smallPipeline } from '../flows/flow-environment.ts';
import { type Ended, millrace, type Running, startMillrace } from './millrace.ts';

/** What the commands of a test file meet: a local platform, a repository with a remote, and their environment. */
export interface CliEnvironment extends AsyncDisposable {
  readonly platform: Platform;
  readonly client: Client;
  readonly work: TemporaryRepository;
  /** `MILLRACE_*` of the platform, as `--env-file` writes them. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs the real command in the repository; `env` wins over the stage's. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Running;
  /** Puts what is committed on the remote that the platform reviews. */
  push(): void;
  /** Versions in an environment with their state. */
  versions(environment: string): Promise<Record<string, boolean>>;
}

/** A project of one good pipeline `daily/load` and one `daily/slow` that takes five minutes, committed and pushed. */
export async function createFlowEnvironment(seed: Partial<Seed> = {}): Promise<CliEnvironment> {
  const work = temporaryRepository();
  const gitRoot = mkdtempSync(path.join(tmpdir(), 'millrace remote '));
  const platform = await startPlatform({
    gitRoot,
    seed: {
      ...defaultSeed,
      settings: { componentTime: '5ms' },
      executions: [{ pipeline: 'daily/slow', component: 'Work', after: '5m' }],
      ...seed,
    },
    checkAnswers: true,
  });
  const env: Record<string, string> = platform.environment();
  const client = createClient({ baseUrl: platform.baseUrl, auth: { token: platform.tokens.superAdmin } });
  work.write('daily/load.orch.yaml', smallPipeline);
  work.write('daily/slow.orch.yaml', smallPipeline);
  work.write('.platform/config/pipeline_quality_rules.yaml', rulesFile);
  work.write('millrace.yaml', `version: 1\nenvironments: [dev, test, prod]\nreview: { scope: all }\n`);
  work.commit('A project');
  const testEnvironment: CliEnvironment = {
    platform,
    client,
    work,
    env,
    run: (args, more = {}) => millrace(args, { cwd: work.directory, env: { ...env, ...more } }),
    start: (args, more = {}) => startMillrace(args, { cwd: work.directory, env: { ...env, ...more } }),
    push() {
      const remote = path.join(gitRoot, 'demo', 'warehouse');
      if (!existsSync(remote)) work.git('clone', '-q', '--bare', '.', remote);
      else work.git('push', '-q', '--force', '--all', remote);
    },
    async versions(environmentName) {
      const found: Record<string, boolean> = {};
      const list = client.artifacts.list({
        projectId: platform.projectId,
        environmentName,
        includeDisabled: true,
      });
      for await (const { versionName, enabled } of list) found[versionName] = enabled;
      return found;
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await platform.close();
      work[Symbol.dispose]();
      rmSync(gitRoot, { recursive: true, force: true });
    },
  };
  testEnvironment.push();
  return testEnvironment;
}

const rulesFile = `rules:
  - id: component-naming-convention
    enabled: true
    enforcementLevel: error
    config: { regexMatchPattern: "[A-Z][A-Za-z ]*" }
`;
