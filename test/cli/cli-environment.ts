import { type Client, createClient } from '../../client/index.ts';
import type { Platform, Seed } from '../../platform/index.ts';
import { shortWaits } from '../environment/clock.ts';
import { startProjectPlatform } from '../environment/project-platform.ts';
import type { TemporaryRepository } from '../lib/git/temporary-repository.ts';
import { smallPipeline } from '../flows/flow-environment.ts';
import { inProcess } from './in-process.ts';
import { type Ended, type Running, startMillrace } from './millrace.ts';

/** What the commands of a test file meet: a local platform, a repository with a remote, and their environment. */
export interface CliEnvironment extends AsyncDisposable {
  readonly platform: Platform;
  readonly client: Client;
  readonly work: TemporaryRepository;
  /** `MILLRACE_*` of the platform, as `--env-file` writes them. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs the command in the repository, in this process; `env` wins over the environment's. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Starts it in a process of its own: for signals, closed streams and the exit code of `cli/main.ts`. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Running;
  /** Puts what is committed on the remote that the platform reviews. */
  push(): void;
  /** Versions in an environment with their state. */
  versions(environment: string): Promise<Record<string, boolean>>;
}

/** A project of one good pipeline `daily/load` and one `daily/slow` that takes five minutes, committed and pushed. */
export async function createCliEnvironment(seed: Partial<Seed> = {}): Promise<CliEnvironment> {
  const project = await startProjectPlatform({
    executions: [{ pipeline: 'daily/slow', component: 'Work', after: '5m' }],
    ...seed,
  });
  const { platform, work } = project;
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
    run: (args, more = {}) =>
      inProcess(args, { cwd: work.directory, env: { ...env, ...more }, clock: shortWaits }),
    start: (args, more = {}) => startMillrace(args, { cwd: work.directory, env: { ...env, ...more } }),
    push: () => project.push(),
    versions: (environment) => project.versions(client, environment),
    async [Symbol.asyncDispose]() {
      await client.close();
      await project[Symbol.asyncDispose]();
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
