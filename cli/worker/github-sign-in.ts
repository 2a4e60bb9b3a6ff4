import { isTeam } from '../../lib/config/worker/operator-schema.ts';
import { readGitHubClient } from '../../lib/config/environment/read-environment.ts';
import type { WorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { OAuthApp } from '../../lib/github/access/user-authorization.ts';
import { webUrlOf } from '../../lib/github/access/web-url.ts';
import { callbackPath } from '../../worker/records/callback-path.ts';
import type { Session } from '../kit/session.ts';
import { textReader } from './worker-access.ts';
import { secretReader } from './worker-file.ts';

/**
 * Reads the GitHub app with which operators sign in: from worker.yaml, otherwise from the environment. Undefined if
 * neither names one. Masks its secret in all later output. Throws Failure 'usage' if a part is missing,
 * 'config-missing' if a file cannot be read.
 */
export function readSignIn(config: WorkerConfig, session: Session): OAuthApp | undefined {
  const { signIn, apiUrl = session.settings.github.apiUrl } = config.github;
  const { read } = secretReader(session);
  const environment = readGitHubClient(session.io.env, textReader(session));
  const clientId = signIn?.clientId ?? environment.id;
  const named = signIn?.clientSecretEnv ?? signIn?.clientSecretFile;
  const clientSecret =
    named === undefined
      ? environment.secret?.reveal()
      : read(signIn?.clientSecretEnv, signIn?.clientSecretFile)?.trim();
  if (clientSecret !== undefined && clientSecret !== '') session.mask([clientSecret]);
  if (signIn === undefined && clientId === undefined && clientSecret === undefined) {
    validateOperators(config);
    return undefined;
  }
  if (clientId === undefined)
    throw missing('the client id', 'MILLRACE_GITHUB_CLIENT_ID', '`client-id` under `github: { sign-in }`');
  if (clientSecret === undefined || clientSecret === '')
    throw missing(
      'the client secret',
      named ?? 'MILLRACE_GITHUB_CLIENT_SECRET',
      '`client-secret-file` under `github: { sign-in }`',
    );
  if (config.url === undefined)
    throw missing('the public address of the worker', 'url', '`url`, to which GitHub sends people back,');
  if (!config.operators.some(({ name, github }) => isTeam(name) || github !== undefined))
    throw missing(
      'people who may sign in',
      'operators',
      '`github` (a login) to one of `operators`, or a team such as @example/platform',
    );
  return {
    clientId,
    clientSecret,
    apiUrl,
    webUrl: webUrlOf(apiUrl),
    redirectUri: `${config.url}${callbackPath}`,
  };
}

/** Without sign-in, an operator without a token could never do anything. */
function validateOperators({ operators, placeOf }: WorkerConfig): void {
  const index = operators.findIndex(({ tokenHashes }) => tokenHashes.length === 0);
  const operator = operators[index];
  if (operator === undefined) return;
  throw new Failure('usage', {
    message: `Operator ${operator.name} has no token and can only sign in with GitHub, which is not configured.`,
    where: placeOf(['operators', index]),
    hint: 'Add `sign-in` under `github` in worker.yaml (docs/worker-sign-in.md), or remove the operator.',
  });
}

function missing(what: string, input: string, place: string): Failure {
  const isVariable = /^[A-Z_]+$/.test(input);
  return new Failure('usage', {
    message: `Sign-in with GitHub is configured, but ${what} is missing.`,
    where: { input },
    hint: `${isVariable ? `Set ${input}, or add` : 'Add'} ${place} in worker.yaml. To do without sign-in, remove \`sign-in\`, MILLRACE_GITHUB_CLIENT_ID and MILLRACE_GITHUB_CLIENT_SECRET.`,
  });
}
