import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '../../client/index.ts';
import { checkedAddress } from '../../lib/config/environment-reader.ts';
import { type ProjectConfig, projectSchema } from '../../lib/config/project-schema.ts';
import { type EnvironmentSettings, readEnvironment, secretsOf } from '../../lib/config/read-environment.ts';
import { readProjectConfig } from '../../lib/config/read-project-config.ts';
import { createRedactor } from '../../lib/core/redactor.ts';
import { requireSetting } from '../../lib/config/require-setting.ts';
import type { Secret } from '../../lib/config/secret.ts';
import type { FlowContext, PlatformContext } from '../../flows/context/context.ts';
import { openRepository, type Repository } from '../../lib/git/repository.ts';
import { Failure } from '../../lib/core/failure.ts';
import { usualLimitMs } from '../../lib/core/time-limits.ts';
import type { Io } from '../terminal/io.ts';
import { createOutput, type Output } from '../terminal/output.ts';
import { projectFolder } from './project-folder.ts';

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
  /** Names that a person types are relative to this folder: the one of `--working-directory`, else the current one. */
  readonly here: string;
  /** The project's folder: `here`, or the nearest one above it that holds `millrace.yaml`. */
  readonly directory: string;
  /** Masks these too in all that is written from now on. */
  mask(secrets: readonly (Secret | string)[]): void;
  /** Takes every secret out of a text that does not go through `output`. */
  redact(text: string): string;
  /** `millrace.yaml`, or its defaults where there is none. Read once. */
  projectConfig(): Promise<ProjectConfig>;
  /** The git repository around the project, and the project's folder inside it. */
  repository(): Promise<{ readonly repository: Repository; readonly directory: string }>;
  /** Throws Failure 'no-project'. */
  projectId(): Promise<string>;
  /** Which settings the platform cannot be asked without; none where all are there. */
  missingSettings(): Promise<readonly string[]>;
  /**
   * Runs with a client of the platform, and closes it. All its calls, retries, pauses and tokens together have
   * `withinMs`; `usualLimitMs` where nothing is said. Throws Failure 'no-base-url' and 'no-token'.
   */
  withClient<Result>(work: (client: Client) => Promise<Result>, withinMs?: number): Promise<Result>;
  /** The same with all that a use case needs; throws 'no-project' too. */
  withPlatform<Result>(
    work: (context: PlatformContext) => Promise<Result>,
    withinMs?: number,
  ): Promise<Result>;
}

export function openSession(io: Io, options: CommonOptions): Session {
  const settings = readEnvironment(io.env, (file) => readFileSync(path.resolve(io.cwd, file), 'utf8'));
  const secrets: (Secret | string)[] = secretsOf(settings);
  let redact = createRedactor(secrets).text;
  const output = createOutput(io, {
    json: options.json ?? false,
    verbose: options.verbose ?? false,
    redact: (text) => redact(text),
  });
  const { clock, random, signal } = io;
  const flow = { clock, random, logger: output.logger, progress: output.progress, signal };
  const here = path.resolve(io.cwd, options.workingDirectory ?? '.');
  const directory = options.workingDirectory === undefined ? projectFolder(here) : here;
  let config: Promise<ProjectConfig> | undefined;
  const projectConfig = () =>
    (config ??= readConfigFile(options.config === undefined ? directory : here, options.config));

  const projectId = async () =>
    requireSetting('no-project', {
      flag: options.project,
      environment: settings.projectId,
      file: (await projectConfig()).project,
    }).value;

  const session: Session = {
    io,
    output,
    redact: (text) => redact(text),
    settings,
    flow,
    here,
    directory,
    mask(more) {
      secrets.push(...more);
      redact = createRedactor(secrets).text;
    },
    projectConfig,
    async repository() {
      const repository = await openRepository(directory, { environment: io.env, signal });
      return { repository, directory: repository.prefix };
    },
    projectId,
    async missingSettings() {
      const found = {
        MILLRACE_BASE_URL: options.baseUrl ?? settings.baseUrl,
        MILLRACE_TOKEN: settings.credential,
        'project in millrace.yaml': options.project ?? settings.projectId ?? (await projectConfig()).project,
      };
      return Object.entries(found).flatMap(([name, value]) => (value === undefined ? [name] : []));
    },
    async withClient(work, withinMs = usualLimitMs) {
      const flag = options.baseUrl === undefined ? undefined : checkedAddress('--base-url', options.baseUrl);
      const baseUrl = requireSetting('no-base-url', { flag, environment: settings.baseUrl }).value;
      const credential = requireSetting('no-token', { environment: settings.credential }).value;
      const { openPlatformClient } = await import('../../flows/context/open-platform-client.ts');
      await using client = openPlatformClient({
        ...flow,
        environment: io.env,
        baseUrl,
        credential,
        withinMs,
      });
      return await work(client);
    },
    async withPlatform(work, withinMs) {
      const id = await projectId();
      return session.withClient((client) => work({ ...flow, client, projectId: id }), withinMs);
    },
  };
  return session;
}

/** A named file must be there; `millrace.yaml` may be missing, and then its defaults hold. */
async function readConfigFile(directory: string, named: string | undefined): Promise<ProjectConfig> {
  const name = named ?? 'millrace.yaml';
  const read = await readFile(path.resolve(directory, name), 'utf8').catch(
    (error: NodeJS.ErrnoException) => error,
  );
  if (typeof read === 'string') return readProjectConfig(read, name);
  const missing = read.code === 'ENOENT';
  if (missing && named === undefined) return projectSchema.parse({ version: 1 });
  const where = { file: name };
  if (missing)
    throw new Failure('config-missing', { message: `There is no ${name}, which --config names.`, where });
  throw new Failure('config-invalid', {
    message: `"${name}" cannot be read (${read.code ?? read.message}).`,
    where,
    hint: 'The settings are a file that this user may read, and no folder.',
  });
}
