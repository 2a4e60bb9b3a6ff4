import { logging } from '../../../client/index.ts';
import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import {
  type EnvironmentSettings,
  readEnvironment,
} from '../../../lib/config/environment/read-environment.ts';
import { requireSetting } from '../../../lib/config/environment/require-setting.ts';
import { noIdToken } from '../../../lib/config/environment/workload-identity.ts';
import { openPlatformClient } from '../../../flows/context/open-platform-client.ts';
import type { PlatformContext } from '../../../flows/context/context.ts';
import { readTextFileSync } from '../../../lib/core/files/read-text-file.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { usualLimitMs } from '../../../lib/core/ports/time-limits.ts';
import type { Environment, Step } from '../step/step.ts';

export interface PlatformInputs {
  readonly 'base-url'?: string | undefined;
  readonly token?: string | undefined;
  readonly identity?: string | undefined;
  readonly 'id-token-audience'?: string | undefined;
  readonly 'client-id'?: string | undefined;
  readonly 'client-secret'?: string | undefined;
  readonly 'token-url'?: string | undefined;
  readonly audience?: string | undefined;
  readonly project?: string | undefined;
}

const variables = {
  'base-url': 'MILLRACE_BASE_URL',
  token: 'MILLRACE_TOKEN',
  identity: 'MILLRACE_IDENTITY',
  'id-token-audience': 'MILLRACE_ID_TOKEN_AUDIENCE',
  'client-id': 'MILLRACE_CLIENT_ID',
  'client-secret': 'MILLRACE_CLIENT_SECRET',
  'token-url': 'MILLRACE_TOKEN_URL',
  audience: 'MILLRACE_AUDIENCE',
} as const satisfies Partial<Record<keyof PlatformInputs, string>>;

/** Each chooses a kind of credential. */
const credentialInputs = ['token', 'client-secret', 'identity'] as const;

/** Reads the settings from environment and inputs. An input overrides its variable. */
export function readSettings(inputs: PlatformInputs, environment: Environment): EnvironmentSettings {
  const merged: Record<string, string | undefined> = { ...environment };
  // A credential of the inputs overrides a credential of another kind in the environment.
  if (credentialInputs.some((name) => inputs[name] !== undefined)) {
    for (const name of [...credentialInputs.map((input) => variables[input]), 'MILLRACE_ID_TOKEN']) {
      if (name === 'MILLRACE_ID_TOKEN' && inputs.identity !== undefined) continue;
      delete merged[name];
      delete merged[`${name}_FILE`];
    }
  }
  for (const [input, variable] of Object.entries(variables)) {
    const value = inputs[input as keyof typeof variables];
    if (value === undefined) continue;
    merged[variable] = value;
    delete merged[`${variable}_FILE`];
  }
  return readEnvironment(merged, readTextFileSync);
}

/** The missing inputs that a call to the platform needs. A dry run works without them. */
export function missingInputs(
  inputs: PlatformInputs,
  config: ProjectConfig,
  { environment }: Pick<Step, 'environment'>,
): string[] {
  const { baseUrl, credential, projectId } = readSettings(inputs, environment);
  const values = {
    'base-url': baseUrl,
    token: credential,
    project: inputs.project ?? projectId ?? config.project,
  };
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [name] : []));
}

/**
 * Opens a client of the platform. Use `await using`, which closes its connections. `timeoutMs` limits all calls, retries,
 * pauses and token requests together. Throws Failure 'no-token' (with the reasons why GitHub may have provided none),
 * 'no-base-url', 'no-project'.
 */
export function openPlatform(
  inputs: PlatformInputs,
  config: ProjectConfig,
  { environment, context, mask }: Step,
  timeoutMs = usualLimitMs,
): PlatformContext & AsyncDisposable {
  const settings = readSettings(inputs, environment);
  if (settings.lacksIdToken === true) throw noIdToken();
  if (settings.credential === undefined) {
    throw new Failure('no-token', {
      message: 'The credential for the platform is missing: the input token is empty.',
      where: { input: 'token' },
      hint: 'Check the name of the secret in the workflow (token: ${{ secrets.MILLRACE_TOKEN }}), and that the repository or environment has this secret. Pull requests from forks and from Dependabot get no secrets. Dependabot has separate secrets.',
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
    onToken: mask,
    // Requests with status and duration: only if the runner shows debug lines.
    ...(environment['RUNNER_DEBUG'] === '1'
      ? { middlewares: [logging(context.logger, { level: 'debug' })] }
      : {}),
  });
  return { ...context, client, projectId, [Symbol.asyncDispose]: () => client.close() };
}
