import { readFileSync } from 'node:fs';
import type { ProjectConfig } from '../../lib/config/project-schema.ts';
import { type EnvironmentSettings, readEnvironment } from '../../lib/config/read-environment.ts';
import { requireSetting } from '../../lib/config/require-setting.ts';
import { openPlatformClient } from '../../flows/context/open-platform-client.ts';
import type { PlatformContext } from '../../flows/index.ts';
import { Failure } from '../../lib/core/failure.ts';
import { usualLimitMs } from '../../lib/core/time-limits.ts';
import type { Environment, Step } from './step.ts';

export interface PlatformInputs {
  readonly 'base-url'?: string | undefined;
  readonly token?: string | undefined;
  readonly 'client-id'?: string | undefined;
  readonly 'client-secret'?: string | undefined;
  readonly 'token-url'?: string | undefined;
  readonly audience?: string | undefined;
  readonly project?: string | undefined;
}

const variables = {
  'base-url': 'MILLRACE_BASE_URL',
  token: 'MILLRACE_TOKEN',
  'client-id': 'MILLRACE_CLIENT_ID',
  'client-secret': 'MILLRACE_CLIENT_SECRET',
  'token-url': 'MILLRACE_TOKEN_URL',
  audience: 'MILLRACE_AUDIENCE',
} as const satisfies Partial<Record<keyof PlatformInputs, string>>;

/** The settings of the environment and the inputs. An input overrides its variable. */
export function readSettings(inputs: PlatformInputs, environment: Environment): EnvironmentSettings {
  const merged: Record<string, string | undefined> = { ...environment };
  for (const name of ['base-url', 'token', 'client-id', 'client-secret', 'token-url', 'audience'] as const) {
    const value = inputs[name];
    if (value === undefined) continue;
    merged[variables[name]] = value;
    delete merged[`${variables[name]}_FILE`];
  }
  // A credential of the inputs overrides a credential of another kind in the environment.
  if (inputs.token === undefined && inputs['client-secret'] !== undefined) {
    delete merged['MILLRACE_TOKEN'];
    delete merged['MILLRACE_TOKEN_FILE'];
  }
  return readEnvironment(merged, (path) => readFileSync(path, 'utf8'));
}

/** The missing ones of the inputs that a call of the platform needs. A dry run works without them. */
export function missingInputs(
  inputs: PlatformInputs,
  config: ProjectConfig,
  { environment }: Pick<Step, 'environment'>,
): string[] {
  const { baseUrl, credential, projectId } = readSettings(inputs, environment);
  const found = {
    'base-url': baseUrl,
    token: credential,
    project: inputs.project ?? projectId ?? config.project,
  };
  return Object.entries(found).flatMap(([name, value]) => (value === undefined ? [name] : []));
}

/**
 * Opens a client of the platform. Use `await using`, which closes its connections. `timeoutMs` limits all calls, retries,
 * pauses and token requests together. Throws Failure 'no-token' (with the reasons why GitHub may have provided none),
 * 'no-base-url', 'no-project'.
 */
export function openPlatform(
  inputs: PlatformInputs,
  config: ProjectConfig,
  { environment, context }: Step,
  timeoutMs = usualLimitMs,
): PlatformContext & AsyncDisposable {
  const settings = readSettings(inputs, environment);
  if (settings.credential === undefined) {
    throw new Failure('no-token', {
      message: 'The credential for the platform is missing: the input token is empty.',
      where: { input: 'token' },
      hint: 'Check the name of the secret in the workflow (token: ${{ secrets.MILLRACE_TOKEN }}), and that the repository or environment has this secret. Pull requests from forks and from Dependabot get no secrets; Dependabot has separate secrets.',
    });
  }
  const baseUrl = requireSetting('no-base-url', { environment: settings.baseUrl }).value;
  const choices = { flag: inputs.project, environment: settings.projectId, file: config.project };
  const projectId = requireSetting('no-project', choices).value;
  const client = openPlatformClient({
    ...context,
    baseUrl,
    credential: settings.credential,
    environment,
    userAgent: 'millrace-action',
    withinMs: timeoutMs,
  });
  return { ...context, client, projectId, [Symbol.asyncDispose]: () => client.close() };
}
