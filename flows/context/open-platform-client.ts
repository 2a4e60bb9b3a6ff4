import {
  type Auth,
  type Client,
  createClient,
  type IdTokenSource,
  type Middleware,
} from '../../client/index.ts';
import { proxyOf } from '../../lib/http/proxy-settings.ts';
import type { PlatformCredential } from '../../lib/config/environment/platform-credential.ts';
import type { IdentityCredential } from '../../lib/config/environment/workload-identity.ts';
import type { FlowContext } from './context.ts';

export interface PlatformClientOptions extends Pick<FlowContext, 'clock' | 'random' | 'logger'> {
  readonly baseUrl: string;
  readonly credential: PlatformCredential;
  /** Environment variables: proxies are read from them. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly middlewares?: readonly Middleware[] | undefined;
  /** Called with each token that the client fetches, so that the caller can mask it. */
  readonly onToken?: ((token: string) => void) | undefined;
  /** Sent as `User-Agent`; the client's own name and version by default. */
  readonly userAgent?: string | undefined;
  /** Milliseconds from now for all calls together, with their retries, pauses and tokens; without it there is no such limit. */
  readonly withinMs?: number | undefined;
}

/**
 * Opens the client for the command line, the actions and the worker, from resolved settings. The caller must close
 * it, or declare it with `await using`.
 */
export function openPlatformClient({
  baseUrl,
  credential,
  environment,
  clock,
  random,
  logger,
  middlewares,
  onToken,
  userAgent,
  withinMs = Infinity,
}: PlatformClientOptions): Client {
  return createClient({
    baseUrl,
    auth: authOf(credential),
    proxy: proxyOf(environment),
    clock,
    random,
    logger,
    middlewares,
    onToken,
    ...(userAgent === undefined ? {} : { userAgent }),
    untilMs: clock.now() + withinMs,
  });
}

function authOf(credential: PlatformCredential): Auth {
  if (credential.kind === 'token') {
    return credential.file === undefined
      ? { token: credential.token.reveal() }
      : { tokenFile: credential.file };
  }
  const { clientId, tokenUrl, audience } = credential;
  if (credential.kind === 'client')
    return {
      clientId: credential.clientId,
      clientSecret: credential.clientSecret.reveal(),
      tokenUrl,
      audience,
    };
  return {
    identity: credential.way,
    idToken: idTokenSource(credential.source),
    tokenUrl,
    clientId,
    audience,
  };
}

function idTokenSource(source: IdentityCredential['source']): IdTokenSource {
  if ('file' in source) return source;
  const token = source.token.reveal();
  if (!('requestUrl' in source)) return { token };
  return { requestUrl: source.requestUrl, requestToken: token, audience: source.audience };
}
