import { type Client, createClient, type Middleware } from '../../client/index.ts';
import type { PlatformCredential } from '../../lib/config/read-environment.ts';
import type { Logger } from '../../lib/core/ports.ts';
import type { Io } from '../terminal/io.ts';

interface Access {
  readonly baseUrl: string;
  readonly credential: PlatformCredential;
  readonly logger: Logger;
  readonly middlewares?: readonly Middleware[];
  /** Milliseconds from now for all calls together; without it nothing bounds them together. */
  readonly withinMs?: number;
}

/** A client with the settings of this command; proxies come from the usual variables. */
export function openPlatform(
  { env, clock, random }: Io,
  { baseUrl, credential, logger, middlewares, withinMs = Infinity }: Access,
): Client {
  return createClient({
    baseUrl,
    auth: authOf(credential),
    proxy: {
      http: env.HTTP_PROXY ?? env.http_proxy,
      https: env.HTTPS_PROXY ?? env.https_proxy,
      no: env.NO_PROXY ?? env.no_proxy,
    },
    clock,
    random,
    logger,
    middlewares,
    untilMs: clock.now() + withinMs,
  });
}

function authOf(credential: PlatformCredential) {
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
