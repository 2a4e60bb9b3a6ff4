import { type Auth, type Client, createClient, type Middleware } from '../../client/index.ts';
import type { PlatformCredential } from '../../lib/config/read-environment.ts';
import type { FlowContext } from './context.ts';

export interface PlatformClientOptions extends Pick<FlowContext, 'clock' | 'random' | 'logger'> {
  readonly baseUrl: string;
  readonly credential: PlatformCredential;
  /** Environment variables: proxies are read from them. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly middlewares?: readonly Middleware[] | undefined;
  /** Sent as `User-Agent`; the client's own name and version by default. */
  readonly userAgent?: string | undefined;
  /** Milliseconds from now for all calls together, with their retries, pauses and tokens; without it there is no such limit. */
  readonly withinMs?: number | undefined;
}

/**
 * Opens the client that the command line, the actions and the worker use, from settings that are resolved already.
 * Close it, or hold it with `await using`. A proxy variable in lower case wins over the one in upper case, as in curl.
 */
export function openPlatformClient({
  baseUrl,
  credential,
  environment,
  clock,
  random,
  logger,
  middlewares,
  userAgent,
  withinMs = Infinity,
}: PlatformClientOptions): Client {
  const proxy = (name: string): string | undefined => environment[name.toLowerCase()] ?? environment[name];
  return createClient({
    baseUrl,
    auth: authOf(credential),
    proxy: { http: proxy('HTTP_PROXY'), https: proxy('HTTPS_PROXY'), no: proxy('NO_PROXY') },
    clock,
    random,
    logger,
    middlewares,
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
  const { clientId, clientSecret, tokenUrl, audience } = credential;
  return {
    clientId,
    clientSecret: clientSecret.reveal(),
    tokenUrl,
    ...(audience === undefined ? {} : { audience }),
  };
}
