import type { Redis } from 'ioredis';
import type { GitHubPort } from '../../lib/github/github-port.ts';
import type { ProxySettings } from '../../lib/http/proxy-settings.ts';
import type { OAuthApp } from '../../lib/github/access/user-authorization.ts';
import { followDirectory } from '../operators/directory.ts';
import type { Policy, Telemetry, Timing } from '../promotion/context/ports.ts';
import { keysUnder } from '../store/scripts/keys.ts';
import { createLimitedLogger } from '../telemetry/limited-logger.ts';
import { type Access, createAccess } from '../web/sign-in/access.ts';
import { createGitHubSessions } from '../web/sign-in/github-sessions.ts';
import { createGitHubSignIn } from '../web/sign-in/github-sign-in.ts';
import { createSessions } from '../web/sign-in/sessions.ts';

interface AccessOptions {
  readonly github: GitHubPort;
  /** The proxy on the way to GitHub. */
  readonly proxy: ProxySettings | undefined;
  /** The worker's own token, as it is now. */
  readonly token: (() => string | undefined) | undefined;
  /** The app with which operators sign in, as it is configured now. */
  readonly app: () => OAuthApp | undefined;
}

/** Opens the authentication of operators: tokens, sign-in with GitHub, and sessions. */
export function openAccess(
  { github, proxy, token, app }: AccessOptions,
  ports: Pick<Policy, 'config' | 'settings'> & Pick<Telemetry, 'logger'> & Pick<Timing, 'clock'>,
  records: Redis,
): Access {
  const { clock, logger, settings } = ports;
  const keys = keysUnder(settings.prefix);
  // Anyone can begin a sign-in; who has signed in is always logged.
  const limited = { ...createLimitedLogger(logger, clock), info: logger.info.bind(logger) };
  const directory = followDirectory(() => ports.config.operators, token);
  const githubSessions = createGitHubSessions({
    redis: records,
    keys,
    clock,
    logger: limited,
    config: () => ports.config,
    github,
    clientSecret: () => app()?.clientSecret,
    ...settings,
  });
  const sessions = createSessions(records, keys, directory, githubSessions);
  const signInWith = createGitHubSignIn({
    sessions,
    github: githubSessions,
    clock,
    logger: limited,
    timeoutMs: settings.githubWithinMs,
    proxy,
  });
  return createAccess(directory, sessions, () => {
    const current = app();
    return current === undefined ? undefined : signInWith(current);
  });
}
