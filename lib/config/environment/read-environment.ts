import { unescape } from 'node:querystring';
import { Failure } from '../../core/errors/failure.ts';
import {
  type EnvironmentReader,
  environmentReader,
  type EnvironmentRecord,
  type ReadTextFile,
} from './environment-reader.ts';
import { credentialOf, type PlatformCredential, secretOf } from './platform-credential.ts';
import { Secret } from './secret.ts';

/** The settings from the environment, validated and typed. A setting that is not set is absent. */
export interface EnvironmentSettings {
  readonly baseUrl?: string;
  readonly credential?: PlatformCredential;
  /** True if the credential would be the identity of the job, but the job gets no ID token. */
  readonly lacksIdToken?: true;
  readonly projectId?: string;
  readonly agentVersion?: string;
  /** A secret, because it usually contains a password. */
  readonly redisUrl?: Secret;
  /** Folder in which the worker keeps a journal of the operators' decisions. */
  readonly stateDirectory?: string;
  /** All secrets that are valid now: in a rotation the new one is added before the old one is removed. */
  readonly webhookSecrets: readonly Secret[];
  readonly workerUrl?: string;
  readonly workerToken?: Secret;
  readonly github: {
    /** The client secret of the app with which operators sign in. */
    readonly clientSecret?: Secret;
    readonly token?: Secret;
    /** Read again for each use, so that the token can be replaced. */
    readonly tokenFile?: string;
    readonly app?: { readonly id: string; readonly key: Secret; readonly keyFile?: string };
    readonly apiUrl: string;
  };
}

/**
 * Reads the variables that the design lists under "Environment". Every secret may come from a file instead
 * (`…_FILE`). Throws Failure 'usage' (both forms set, an incomplete pair, an invalid address), 'config-missing' (an
 * unreadable file), 'no-token' (incomplete client credentials).
 */
export function readEnvironment(env: EnvironmentRecord, readFile: ReadTextFile): EnvironmentSettings {
  const reader = environmentReader(env, readFile);
  const credential = credentialOf(reader);
  const redisUrl = reader.secret('MILLRACE_REDIS_URL')?.secret;
  const workerToken = readWorkerToken(env, readFile);
  const githubToken = reader.secret('MILLRACE_GITHUB_TOKEN') ?? reader.secret('GITHUB_TOKEN');
  return {
    ...optional('baseUrl', reader.address('MILLRACE_BASE_URL')),
    ...(credential === 'no-id-token' ? { lacksIdToken: true } : optional('credential', credential)),
    ...optional('projectId', reader.text('MILLRACE_PROJECT_ID')),
    ...optional('agentVersion', reader.text('MILLRACE_AGENT_VERSION')),
    ...optional('redisUrl', redisUrl),
    ...optional('stateDirectory', reader.text('MILLRACE_STATE_DIRECTORY')),
    webhookSecrets: readWebhookSecrets(env, readFile),
    ...optional('workerUrl', reader.address('MILLRACE_WORKER_URL')),
    ...optional('workerToken', workerToken),
    github: {
      ...optional('clientSecret', readGitHubClient(env, readFile).secret),
      ...optional('token', githubToken?.secret),
      ...optional('tokenFile', githubToken?.file),
      ...optional('app', appOf(reader)),
      apiUrl: reader.address('GITHUB_API_URL') ?? 'https://api.github.com',
    },
  };
}

/** The secrets in MILLRACE_WEBHOOK_SECRET or its file, one on each line. Throws as `readEnvironment` does. */
export function readWebhookSecrets(env: EnvironmentRecord, readFile: ReadTextFile): readonly Secret[] {
  const text = environmentReader(env, readFile).secret('MILLRACE_WEBHOOK_SECRET')?.secret.reveal() ?? '';
  return linesOf(text).map((line) => new Secret(line));
}

/** The token in MILLRACE_WORKER_TOKEN or its file. Throws as `readEnvironment` does. */
export function readWorkerToken(env: EnvironmentRecord, readFile: ReadTextFile): Secret | undefined {
  return environmentReader(env, readFile).secret('MILLRACE_WORKER_TOKEN')?.secret;
}

/**
 * Reads the parts of the app with which operators sign in at the worker, as far as they are set. Throws as
 * `readEnvironment` does.
 */
export function readGitHubClient(
  env: EnvironmentRecord,
  readFile: ReadTextFile,
): { readonly id: string | undefined; readonly secret: Secret | undefined } {
  const reader = environmentReader(env, readFile);
  return {
    id: reader.text('MILLRACE_GITHUB_CLIENT_ID'),
    secret: reader.secret('MILLRACE_GITHUB_CLIENT_SECRET')?.secret,
  };
}

/** Every secret in the settings, for the redactor, including the password in a Redis address. */
export function secretsOf({
  credential,
  redisUrl,
  webhookSecrets,
  workerToken,
  github,
}: EnvironmentSettings): Secret[] {
  return [
    credential && secretOf(credential),
    // An address without a password is not a secret, and errors should show it.
    ...(passwordsIn(redisUrl?.reveal() ?? '').length > 0 ? [redisUrl] : []),
    ...passwordsIn(redisUrl?.reveal() ?? ''),
    ...webhookSecrets,
    workerToken,
    github.token,
    github.clientSecret,
    github.app?.key,
  ].filter((secret) => secret !== undefined);
}

/** The password of an address: as written, and decoded if that is possible. */
function passwordsIn(address: string): Secret[] {
  const password = URL.canParse(address) ? new URL(address).password : '';
  // Unlike decodeURIComponent it does not throw at a stray percent sign.
  return [password, unescape(password)].filter((text) => text !== '').map((text) => new Secret(text));
}

function appOf(reader: EnvironmentReader): EnvironmentSettings['github']['app'] {
  const [id, key] = [reader.text('MILLRACE_GITHUB_APP_ID'), reader.secret('MILLRACE_GITHUB_APP_KEY')];
  if (id !== undefined && key !== undefined) return { id, key: key.secret, ...optional('keyFile', key.file) };
  if (id === undefined && key === undefined) return undefined;
  const present =
    id !== undefined
      ? 'MILLRACE_GITHUB_APP_ID'
      : `MILLRACE_GITHUB_APP_KEY${key?.file === undefined ? '' : '_FILE'}`;
  const missing = id === undefined ? 'MILLRACE_GITHUB_APP_ID' : 'MILLRACE_GITHUB_APP_KEY_FILE';
  throw new Failure('usage', {
    message: `${present} is set, but ${missing} is not. A GitHub App needs both its id and its key.`,
    where: { input: missing },
    hint: `Set ${missing}, or remove ${present}.`,
  });
}

/** One secret per line, for rotation. */
function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** An optional property that is omitted instead of set to undefined. */
function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V });
}
