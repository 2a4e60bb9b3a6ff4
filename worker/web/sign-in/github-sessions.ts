import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { createHash, createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import type { Clock, Logger } from '../../../lib/core/ports/ports.ts';
import type { GitHubPerson } from '../../../lib/github/access/user-authorization.ts';
import {
  type FoundOperator,
  findOperator,
  operatorByLogin,
  operatorByTeam,
} from '../../operators/find-operator.ts';
import type { TeamReader } from '../../operators/find-team.ts';
import type { Operator } from '../../operators/operator.ts';
import type { Keys } from '../../store/scripts/keys.ts';
import { equalTexts } from './equal-texts.ts';
import { Unavailable } from '../http/send-json.ts';
import type { SignInAttempt } from './sign-in-attempt.ts';
import { within } from '../http/within.ts';

/**
 * What Redis stores of a session: who signed in, the team that gave the role, and when GitHub confirmed it. Never a
 * token.
 */
export interface GitHubSession {
  readonly person: GitHubPerson;
  readonly team?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly checkedAt: number;
}

export interface GitHubSessions {
  /** The role of a person now; `unknown` if GitHub does not answer in time. */
  findRole(person: GitHubPerson): Promise<FoundOperator>;
  /** The text to store for a session's id. */
  seal(id: string, session: GitHubSession): string | undefined;
  /**
   * The operator of a stored text, with current rights; undefined if there is none any more. Throws Unavailable while GitHub
   * does not say who is in a team.
   */
  find(id: string, stored: string): Promise<Operator | undefined>;
  /** False if the attempt has opened a session before. */
  use(attempt: SignInAttempt): Promise<boolean>;
}

interface Context {
  readonly redis: Redis;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: () => WorkerConfig;
  readonly github: TeamReader;
  /** Undefined without sign-in: then no such session is valid. */
  readonly clientSecret: () => string | undefined;
  /** How long GitHub's answer about a team counts. */
  readonly teamMs: number;
  readonly githubWithinMs: number;
}

/** If GitHub did not answer, it is asked again only after this time: pages ask every two seconds. */
const retryMs = 10_000;

const sealed = z.tuple([z.literal('github'), z.string(), z.string()]);
const stored = z.object({
  person: z.object({ id: z.int(), login: z.string() }),
  team: z.string().optional(),
  checkedAt: z.number(),
});

/**
 * Sessions of people who signed in with GitHub. A role by login is taken from the current worker.yaml. A role by
 * team is valid for `teamMs` milliseconds; then GitHub is asked again, with the worker's own access. The entries in
 * Redis are signed with the client secret, so that a person who can write to Redis cannot sign in.
 */
export function createGitHubSessions(context: Context): GitHubSessions {
  const { redis, keys, clock, logger, config, github, teamMs, githubWithinMs } = context;
  const { seal, unseal } = createSeal(context.clientSecret);
  /** What GitHub is being asked, or did not answer lately, by the session's key. */
  const asked = new Map<string, { readonly answer: Promise<Operator | undefined>; readonly until: number }>();

  async function findRole(person: GitHubPerson): Promise<FoundOperator> {
    try {
      return await within(githubWithinMs, findOperator(person, config(), github));
    } catch (error) {
      return { status: 'unknown', reason: messageOf(error) };
    }
  }

  async function askGitHub(id: string, key: string, person: GitHubPerson): Promise<Operator | undefined> {
    const role = await findRole(person);
    if (role.status === 'unknown') {
      logger.warn('GitHub does not say which teams a person is in.', {
        login: person.login,
        reason: role.reason,
      });
      throw new Unavailable(`${roleUnknown}. Try again later.`);
    }
    if (role.status === 'none') {
      await redis.del(key);
      return undefined;
    }
    const { operator, team } = role;
    const text = seal(id, { person, team, checkedAt: clock.now() });
    // Not if the session has ended since.
    if (text !== undefined) await redis.set(key, text, 'KEEPTTL', 'XX');
    return operator;
  }

  return {
    findRole,
    seal,
    async find(id, text) {
      const session = unseal(id, text);
      if (session === undefined) return undefined;
      const { person, team, checkedAt } = session;
      const { operators } = config();
      const byLogin = operatorByLogin(person, operators);
      if (byLogin !== undefined) return byLogin;
      const now = clock.now();
      const isFresh = checkedAt <= now && now < checkedAt + teamMs;
      const byTeam = isFresh && team !== undefined ? operatorByTeam(person, team, operators) : undefined;
      if (byTeam !== undefined) return byTeam;
      const key = sessionKey(keys, id);
      for (const [askedKey, { until }] of asked) if (until <= now) asked.delete(askedKey);
      const pending = asked.get(key);
      if (pending !== undefined) return pending.answer;
      const answer = askGitHub(id, key, person);
      asked.set(key, { answer, until: now + retryMs });
      // Redis has an answer; only a failure is kept.
      const forget = (): void => void asked.delete(key);
      void answer.then(forget, () => undefined);
      return answer;
    },
    async use({ id, until }) {
      const key = keys.signIn(digestOf(id));
      return (await redis.set(key, '1', 'PX', Math.max(1, until - clock.now()), 'NX')) === 'OK';
    },
  };
}

/** Signs the texts of sessions with the client secret, and verifies them. */
function createSeal(clientSecret: () => string | undefined) {
  function macOf(id: string, text: string): string | undefined {
    const secret = clientSecret();
    if (secret === undefined) return undefined;
    return createHmac('sha256', secret).update(`session ${id} ${text}`).digest('base64url');
  }
  return {
    seal(id: string, session: GitHubSession): string | undefined {
      const text = Buffer.from(JSON.stringify(session)).toString('base64url');
      const mac = macOf(id, text);
      return mac === undefined ? undefined : ['github', text, mac].join(':');
    },
    unseal(id: string, sealedText: string): GitHubSession | undefined {
      const { data: [, text, mac] = [] } = sealed.safeParse(sealedText.split(':'));
      if (text === undefined || mac === undefined) return undefined;
      const right = macOf(id, text);
      if (right === undefined || !equalTexts(mac, right)) return undefined;
      return stored.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    },
  };
}

/** The key of a session in Redis. It does not contain the session's id. */
export function sessionKey(keys: Keys, id: string): string {
  return keys.session(digestOf(id));
}

export const roleUnknown = 'GitHub does not say now which teams you are in, so your role is not known';

function digestOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
