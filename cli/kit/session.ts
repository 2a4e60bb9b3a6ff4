import path from 'node:path';
import type { Client } from '../../client/index.ts';
import { checkedAddress } from '../../lib/config/environment/environment-reader.ts';
import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import {
  type EnvironmentSettings,
  readEnvironment,
  secretsOf,
} from '../../lib/config/environment/read-environment.ts';
import { createRedactor } from '../../lib/core/text/redactor.ts';
import { requireSetting } from '../../lib/config/environment/require-setting.ts';
import { noIdToken } from '../../lib/config/environment/workload-identity.ts';
import type { Secret } from '../../lib/config/environment/secret.ts';
import type { FlowContext, PlatformContext } from '../../flows/context/context.ts';
import { openRepository, type Repository } from '../../lib/git/repository.ts';
import { readTextFileSync } from '../../lib/core/files/read-text-file.ts';
import { usualLimitMs } from '../../lib/core/ports/time-limits.ts';
import type { Io } from '../terminal/io.ts';
import { createOutput, type Output } from '../terminal/output.ts';
import { projectFolder } from './project-folder.ts';
import { readSettings } from './read-settings.ts';

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly workingDirectory?: string;
  readonly config?: string;
  readonly baseUrl?: string;
  readonly project?: string;
}

/** One invocation of a command: its settings, resolved from options, environment and files, and its output. */
export interface Session {
  readonly io: Io;
  readonly output: Output;
  readonly settings: EnvironmentSettings;
  readonly flow: FlowContext;
  /** File names on the command line are relative to this folder: `--working-directory`, otherwise the current folder. */
  readonly here: string;
  /** The project's folder: `here`, or the nearest folder above it that contains `millrace.yaml`. */
  readonly directory: string;
  /** Path of `millrace.yaml`, or of the file of `--config`. */
  readonly configFile: string;
  /** Masks further secrets in all later output. */
  mask(secrets: readonly (Secret | string)[]): void;
  /** Masks all secrets in a text that is not written through `output`. */
  redact(text: string): string;
  /**
   * `millrace.yaml` on disk, or in git's index if a sparse check-out leaves it out; its defaults if it does not exist. Read once. `isNew`: the
   * folder may become a project. Throws Failure 'config-invalid', and 'usage' for a folder that is a part of a project and not new.
   */
  projectConfig(isNew?: boolean): Promise<ProjectConfig>;
  /** Makes these the settings of the project, in place of the file on disk. */
  useConfig(config: ProjectConfig): void;
  /** The git repository that contains the project, and the project's folder inside it. */
  repository(): Promise<{ readonly repository: Repository; readonly directory: string }>;
  /** Throws Failure 'no-project'. */
  projectId(): Promise<string>;
  /** The settings that a call of the platform needs and that are missing. */
  missingSettings(): Promise<readonly string[]>;
  /**
   * Runs `work` with a client of the platform, then closes the client. `timeoutMs` limits all calls, retries, pauses and
   * token requests together (default: `usualLimitMs`). Throws Failure 'no-base-url' and 'no-token'.
   */
  withClient<Result>(work: (client: Client) => Promise<Result>, timeoutMs?: number): Promise<Result>;
  /** Like `withClient`, with the whole context of a use case. Throws also 'no-project'. */
  withPlatform<Result>(
    work: (context: PlatformContext) => Promise<Result>,
    timeoutMs?: number,
  ): Promise<Result>;
}

export function openSession(io: Io, options: CommonOptions): Session {
  const settings = readEnvironment(io.env, (file) => readTextFileSync(path.resolve(io.cwd, file), file));
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
  const isChosen = options.workingDirectory !== undefined;
  const projectConfig = (isNew = false) =>
    (config ??= readSettings({ here, directory, named: options.config, isChosen, isNew }, io));
  const configFile = path.resolve(
    options.config === undefined ? directory : here,
    options.config ?? 'millrace.yaml',
  );

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
    configFile,
    mask(more) {
      const maskedTexts = new Set(secrets.map(textOf));
      const added = more.filter((secret) => !maskedTexts.has(textOf(secret)));
      // The worker reads its secrets again and again.
      if (added.length === 0) return;
      secrets.push(...added);
      redact = createRedactor(secrets).text;
    },
    projectConfig,
    useConfig(other) {
      config = Promise.resolve(other);
    },
    async repository() {
      const repository = await openRepository(directory, { environment: io.env, signal });
      return { repository, directory: repository.prefix };
    },
    projectId,
    async missingSettings() {
      const values = {
        MILLRACE_BASE_URL: options.baseUrl ?? settings.baseUrl,
        MILLRACE_TOKEN: settings.credential,
        'project in millrace.yaml': options.project ?? settings.projectId ?? (await projectConfig()).project,
      };
      return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [name] : []));
    },
    async withClient(work, timeoutMs = usualLimitMs) {
      const flag = options.baseUrl === undefined ? undefined : checkedAddress('--base-url', options.baseUrl);
      const baseUrl = requireSetting('no-base-url', { flag, environment: settings.baseUrl }).value;
      if (settings.lacksIdToken === true) throw noIdToken();
      const credential = requireSetting('no-token', { environment: settings.credential }).value;
      const { openPlatformClient } = await import('../../flows/context/open-platform-client.ts');
      await using client = openPlatformClient({
        ...flow,
        environment: io.env,
        baseUrl,
        credential,
        withinMs: timeoutMs,
        onToken: (token) => session.mask([token]),
      });
      return await work(client);
    },
    async withPlatform(work, timeoutMs) {
      const id = await projectId();
      return session.withClient((client) => work({ ...flow, client, projectId: id }), timeoutMs);
    },
  };
  return session;
}

const textOf = (secret: Secret | string): string => (typeof secret === 'string' ? secret : secret.reveal());
