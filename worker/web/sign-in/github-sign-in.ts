import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Clock, Logger } from '../../../lib/core/ports/ports.ts';
import type { ProxySettings } from '../../../lib/http/proxy-settings.ts';
import {
  authorizationUrl,
  type GitHubPerson,
  identifyUser,
  type OAuthApp,
} from '../../../lib/github/access/user-authorization.ts';
import { equalTexts } from './equal-texts.ts';
import { type GitHubSessions, roleUnknown } from './github-sessions.ts';
import type { Sessions } from './sessions.ts';
import { createAttempt, openAttempt, pkceOf, sealAttempt, stateOf } from './sign-in-attempt.ts';

/** The parameters with which GitHub sends the browser back. */
export interface GitHubAnswer {
  readonly state: string;
  readonly code?: string | undefined;
  /** Why there is no code, such as `access_denied`. */
  readonly error?: string | undefined;
}

export type SignInResult =
  | { readonly status: 'signed-in'; readonly session: string; readonly next: string }
  /** `httpStatus` and the message are for the browser. */
  | { readonly status: 'refused'; readonly httpStatus: 400 | 403 | 503; readonly message: string };

/** Sign-in with GitHub as it is configured now. */
export interface GitHubSignIn {
  /** Whether browsers reach the worker over TLS. */
  readonly isSecure: boolean;
  /** Begins an attempt: the content of its cookie, and the address on GitHub to send the browser to. */
  begin(next: string): { readonly cookie: string; readonly address: string };
  /** Ends an attempt with GitHub's answer. */
  end(cookie: string | undefined, answer: GitHubAnswer | undefined): Promise<SignInResult>;
}

interface Context {
  readonly sessions: Sessions;
  readonly github: GitHubSessions;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timeoutMs: number;
  /** The proxy on the way to GitHub. */
  readonly proxy?: ProxySettings | undefined;
}

/** Answers of GitHub that one worker waits for at once; anyone can begin an attempt. */
const maxAtOnce = 20;

/** Creates sign-ins with the current app. The limit of sign-ins counts for all apps together. */
export function createGitHubSignIn(context: Context): (app: OAuthApp) => GitHubSignIn {
  const { sessions, github, clock, logger, timeoutMs, proxy } = context;
  let running = 0;

  async function identify(
    app: OAuthApp,
    authorization: { readonly code: string; readonly verifier: string },
  ): Promise<GitHubPerson | SignInResult> {
    if (running >= maxAtOnce) return refused(503, 'Too many people sign in now. Try again later.');
    running += 1;
    try {
      const person = await identifyUser(app, authorization, { clock, timeoutMs, proxy });
      return person ?? refused(400, staleMessage);
    } catch (error) {
      const hint = error instanceof Failure ? error.hint : undefined;
      logger.error('A sign-in with GitHub failed.', { reason: messageOf(error), hint });
      return refused(503, 'GitHub did not confirm who you are. Try again later, or sign in with a token.');
    } finally {
      running -= 1;
    }
  }

  return (app) => ({
    isSecure: app.redirectUri.startsWith('https:'),
    begin(next) {
      const attempt = createAttempt(next, clock.now());
      const request = { state: stateOf(attempt), challenge: pkceOf(attempt).challenge };
      return { cookie: sealAttempt(attempt, app.clientSecret), address: authorizationUrl(app, request) };
    },
    async end(cookie, answer) {
      const attempt = openAttempt(cookie ?? '', app.clientSecret, clock.now());
      if (attempt === undefined || answer === undefined || !equalTexts(stateOf(attempt), answer.state))
        return refused(400, staleMessage);
      const { code, error } = answer;
      if (error === 'access_denied') return refused(403, deniedMessage);
      if (code === undefined) {
        logger.error('GitHub refused to begin a sign-in.', { error });
        return refused(503, 'GitHub refused the sign-in. The log of the worker has the reason.');
      }
      const person = await identify(app, { code, verifier: pkceOf(attempt).verifier });
      if ('status' in person) return person;
      const role = await github.findRole(person);
      const { login } = person;
      if (role.status === 'unknown') {
        logger.error('GitHub does not say which teams a person is in.', { login, reason: role.reason });
        return refused(503, `${roleUnknown}. Try again later, or sign in with a token.`);
      }
      if (role.status === 'none') {
        logger.warn('A person without a role tried to sign in with GitHub.', { login });
        return refused(403, noRoleMessage(login));
      }
      if (!(await github.use(attempt))) return refused(400, staleMessage);
      const { operator, team } = role;
      const session = await sessions.openFor({ person, team, checkedAt: clock.now() });
      if (session === undefined) return refused(400, staleMessage);
      logger.info('A person signed in with GitHub.', { login, role: operator.role, team });
      return { status: 'signed-in', session, next: attempt.next };
    },
  });
}

const staleMessage =
  'This sign-in was not begun in this browser at this address, took longer than ten minutes, or was used already. Sign in again.';

const deniedMessage = 'You did not authorize the app on GitHub. Sign in again, or sign in with a token.';

const noRoleMessage = (login: string): string =>
  `${login} has no role here. Ask an admin to add your GitHub login, or a team of yours, to operators in worker.yaml.`;

function refused(httpStatus: 400 | 403 | 503, message: string): SignInResult {
  return { status: 'refused', httpStatus, message };
}
