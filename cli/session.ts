import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkedAddress } from '../config/environment-reader.ts';
import { type ProjectConfig, projectSchema } from '../config/project-schema.ts';
import { type EnvironmentSettings, readEnvironment, secretsOf } from '../config/read-environment.ts';
import { readProjectConfig } from '../config/read-project-config.ts';
import { redactor } from '../config/redactor.ts';
import { requireSetting } from '../config/require-setting.ts';
import type { FlowContext, PlatformContext } from '../flows/context.ts';
import { openRepository, type Repository } from '../git/repository.ts';
import type { Io } from './io.ts';
import { createOutput, type Output } from './output.ts';

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly workingDirectory?: string;
  readonly config?: string;
  readonly baseUrl?: string;
  readonly project?: string;
}

/** One run of one command: what was said, settled against environment and files, and where to write. */
export interface Session {
  readonly io: Io;
  readonly output: Output;
  readonly settings: EnvironmentSettings;
  readonly flow: FlowContext;
  /** The project's folder. */
  readonly directory: string;
  /** `millrace.yaml`, or its defaults where there is none. Read once. */
  projectConfig(): Promise<ProjectConfig>;
  /** The git repository around the project, and the project's folder inside it. */
  repository(): Promise<{ readonly repository: Repository; readonly directory: string }>;
  /** Runs with a client of the platform, and closes it. */
  withPlatform<Result>(work: (context: PlatformContext) => Promise<Result>): Promise<Result>;
}

export function openSession(io: Io, options: CommonOptions): Session {
  const settings = readEnvironment(io.env, (file) => readFileSync(path.resolve(io.cwd, file), 'utf8'));
  const output = createOutput(io, {
    json: options.json ?? false,
    verbose: options.verbose ?? false,
    redact: redactor(secretsOf(settings)),
  });
  const { clock, random, signal } = io;
  const flow = { clock, random, logger: output.logger, progress: output.progress, signal };
  const directory = path.resolve(io.cwd, options.workingDirectory ?? '.');
  let config: Promise<ProjectConfig> | undefined;
  const projectConfig = () => (config ??= readConfigFile(directory, options.config));

  return {
    io,
    output,
    settings,
    flow,
    directory,
    projectConfig,
    async repository() {
      const repository = await openRepository(directory, { environment: io.env, signal });
      return { repository, directory: repository.prefix };
    },
    async withPlatform(work) {
      const file = (await projectConfig()).project;
      const flag = options.baseUrl === undefined ? undefined : checkedAddress('--base-url', options.baseUrl);
      const baseUrl = requireSetting('no-base-url', { flag, environment: settings.baseUrl }).value;
      const credential = requireSetting('no-token', { environment: settings.credential }).value;
      const projectId = requireSetting('no-project', {
        flag: options.project,
        environment: settings.projectId,
        file,
      }).value;
      const { openPlatform } = await import('./open-platform.ts');
      await using client = openPlatform(io, { baseUrl, credential, logger: output.logger });
      return await work({ ...flow, client, projectId });
    },
  };
}

/** A named file must be there; `millrace.yaml` may be missing, and then its defaults hold. */
async function readConfigFile(directory: string, named: string | undefined): Promise<ProjectConfig> {
  const file = path.resolve(directory, named ?? 'millrace.yaml');
  try {
    return readProjectConfig(await readFile(file, 'utf8'), named ?? 'millrace.yaml');
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (missing && named === undefined) return projectSchema.parse({ version: 1 });
    throw error;
  }
}
