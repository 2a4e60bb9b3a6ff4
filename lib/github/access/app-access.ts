import { createPrivateKey, sign } from 'node:crypto';
import { createAppAuth } from '@octokit/auth-app';
import { z } from 'zod';
import { Failure } from '../../core/errors/failure.ts';
import type { Clock } from '../../core/ports/ports.ts';
import { createRedactor } from '../../core/text/redactor.ts';
import { systemClock } from '../../core/ports/system-clock.ts';
import { responseOf } from './error-response.ts';
import { failureDetails } from './failure-details.ts';
import type {
  AccountPermissions,
  AppFacts,
  GitHubAccess,
  InstallationFacts,
  RepositoryKey,
} from './github-access.ts';
import { type FailureContext, githubFailure } from './github-failure.ts';
import type { ProxySettings } from '../../http/proxy-settings.ts';
import { createPooledFetch } from './pooled-fetch.ts';
import { createOctokit, silentLog } from './octokit.ts';
import { readAnswer } from './read-answer.ts';

/** GitHub recommends this, because clocks differ. */
const backdateSeconds = 60;

/** GitHub accepts ten minutes at most, by its own clock. */
const lifetimeSeconds = 540;

export interface AppOptions {
  readonly apiUrl: string;
  readonly appId: string | number;
  /**
   * The App's private key as PEM in PKCS #1 or PKCS #8, or a function that returns it. The function is called for each use,
   * so that the key can be replaced. While it throws or returns no key, the last key stays in use. Kept in memory only.
   */
  readonly privateKey: string | (() => string);
  /** Milliseconds for one request. */
  readonly timeoutMs?: number;
  readonly proxy?: ProxySettings | undefined;
  readonly clock?: Clock;
}

const permissionsAnswer = z.record(z.string(), z.string());
const appAnswer = z.object({
  id: z.int(),
  slug: z.string().optional(),
  permissions: permissionsAnswer,
  events: z.array(z.string()),
});
const installationAnswer = z.object({
  id: z.int().positive(),
  permissions: permissionsAnswer.default({}),
  events: z.array(z.string()).default([]),
  suspended_at: z.string().nullish(),
});

/** A shorter difference between the clocks comes from GitHub's whole seconds and from the network. */
const clockToleranceMs = 2_000;
/** The installation of a repository is looked up again at most this often; most 403 and 404 have other causes. */
const minCheckIntervalMs = 60_000;

const installHint = 'Install the GitHub App on the repository, and check its id and key.';
const keyHint = 'Check the id of the GitHub App, and that its key was created for this App and still exists.';

type AppRequest = Pick<FailureContext, 'operation' | 'deniedHint' | 'notFound'>;

/**
 * Access as a GitHub App: for each repository a token of the App's installation, limited to this repository. A token
 * is kept for an hour less a minute (GitHub's own limit is an hour), or until GitHub refuses it. Throws Failure
 * 'config-invalid' for an invalid key.
 */
export function appAccess(options: AppOptions): GitHubAccess {
  const { clock = systemClock } = options;
  const requests = createAppRequests(options, clock);
  const installations = createInstallations(requests, clock);
  const ids = new Map<string, number>();

  const keyOf = (repository: RepositoryKey): RepositoryKey =>
    typeof repository === 'string' ? (ids.get(repository.toLowerCase()) ?? repository) : repository;

  async function tokenFor(key: RepositoryKey, reach: Reach, refused: boolean): Promise<string> {
    // A removed and reinstalled App has a new installation.
    if (refused) installations.forget(key);
    const wasKnown = installations.isKnown(key);
    const { id } = await installations.of(key);
    try {
      return await requests.tokenOf(key, id, { reach, refresh: refused });
    } catch (error) {
      installations.forget(key);
      const { status } = failureDetails(error);
      if (!wasKnown || status === undefined || ![401, 403, 404].includes(status)) throw error;
      const now = await installations.of(key);
      if (now.id === id) throw error;
      return requests.tokenOf(key, now.id, { reach, refresh: refused });
    }
  }

  return {
    kind: 'app',
    appToken: requests.appToken,
    keyOf,
    tokenFor: (repository, refused = false) => tokenFor(keyOf(repository), 'repository', refused),
    accountTokenFor: (repository, permissions, refused = false) =>
      tokenFor(keyOf(repository), permissions, refused),
    async accountOf(repository) {
      return `installation-${(await installations.of(keyOf(repository))).id}`;
    },
    hasMoved: (repository) => installations.hasMoved(keyOf(repository)),
    async installation(repository) {
      const key = keyOf(repository);
      installations.forget(key);
      return installations.of(key);
    },
    app: requests.app,
    learn: (fullName, id) => void ids.set(fullName.toLowerCase(), id),
  };
}

/** What a token gives access to: one repository with all permissions of the App, or all repositories of the account with some. */
type Reach = 'repository' | AccountPermissions;

/** The requests that are sent as the App itself. */
interface AppRequests {
  /** The App's own token, a JWT. */
  appToken(): Promise<string>;
  /** A token of an installation. `refresh`: request a new token instead of the kept one. */
  tokenOf(
    key: RepositoryKey,
    installationId: number,
    scope: { readonly reach: Reach; readonly refresh: boolean },
  ): Promise<string>;
  installationOf(key: RepositoryKey): Promise<InstallationFacts>;
  app(): Promise<AppFacts>;
}

function createAppRequests(
  { apiUrl, appId, privateKey, proxy, timeoutMs = 15_000 }: AppOptions,
  clock: Clock,
): AppRequests {
  const currentKey = keyReader(typeof privateKey === 'string' ? () => privateKey : privateKey);
  currentKey();
  const octokit = createOctokit({ apiUrl, fetch: createPooledFetch({ timeoutMs, proxy }) });
  let aheadMs = 0;
  const redactor = createRedactor();
  const createJwt = async () => {
    const created = createAppJwt(appId, currentKey(), clock.now() - aheadMs);
    redactor.addRotating(created.jwt);
    return created;
  };
  const auth = createAppAuth({ appId, createJwt, request: octokit.request, log: silentLog });

  /** Performs a request as the App. Repeats it once if it failed only because this host's clock is wrong. */
  async function asApp<T>(context: AppRequest, act: () => Promise<T>, isSecond = false): Promise<T> {
    const usedMs = aheadMs;
    try {
      return await act();
    } catch (error) {
      const response = responseOf(error);
      const date = Date.parse(String(response?.headers['date']));
      if (!Number.isNaN(date)) aheadMs = clock.now() - date;
      if (Math.abs(aheadMs) <= clockToleranceMs) aheadMs = 0;
      if (response?.status === 401 && !isSecond && Math.abs(aheadMs - usedMs) > clockToleranceMs)
        return asApp(context, act, true);
      throw githubFailure(error, { ...context, now: clock.now(), redact: redactor.text });
    }
  }

  async function read<T>(path: string, schema: z.ZodType<T>, context: AppRequest): Promise<T> {
    return asApp(context, async () => {
      const headers = { authorization: `bearer ${(await createJwt()).jwt}` };
      const { data } = await octokit.request(`GET ${path}`, { headers });
      return readAnswer(schema, data);
    });
  }

  return {
    appToken: async () => (await createJwt()).jwt,
    async tokenOf(key, installationId, { reach, refresh }) {
      const ofRepository =
        typeof key === 'number'
          ? { repositoryIds: [key] }
          : { repositoryNames: [key.slice(key.indexOf('/') + 1)] };
      const only = reach === 'repository' ? ofRepository : { permissions: { ...reach } };
      const context = {
        operation: `create a token of the App for repository ${key}`,
        deniedHint: installHint,
        notFound: 'not-installed',
      } as const;
      const act = async () => auth({ type: 'installation', installationId, ...only, refresh });
      return (await asApp(context, act)).token;
    },
    async installationOf(key) {
      const path = typeof key === 'number' ? `/repositories/${key}` : `/repos/${key}`;
      const installation = await read(`${path}/installation`, installationAnswer, {
        operation: `find the installation of the App on repository ${key}`,
        deniedHint: installHint,
        notFound: 'not-installed',
      });
      const { id, permissions, events, suspended_at: suspendedAt } = installation;
      return { id, permissions, events, isSuspended: typeof suspendedAt === 'string' };
    },
    async app() {
      const context = {
        operation: `find the GitHub App ${appId}`,
        deniedHint: keyHint,
        notFound: 'key',
      } as const;
      const { id, slug, permissions, events } = await read('/app', appAnswer, context);
      return { id, name: slug ?? String(id), permissions, events, aheadMs };
    },
  };
}

/** The installations of the App, kept by repository. */
interface Installations {
  of(key: RepositoryKey): Promise<InstallationFacts>;
  isKnown(key: RepositoryKey): boolean;
  forget(key: RepositoryKey): void;
  /** Whether another installation now serves the repository; looked up at most once a minute. */
  hasMoved(key: RepositoryKey): Promise<boolean>;
}

function createInstallations(
  { installationOf }: Pick<AppRequests, 'installationOf'>,
  clock: Clock,
): Installations {
  const byRepository = new Map<RepositoryKey, Promise<InstallationFacts>>();
  const checkedAt = new Map<RepositoryKey, number>();

  function find(key: RepositoryKey): Promise<InstallationFacts> {
    checkedAt.set(key, clock.now());
    const installation = installationOf(key);
    byRepository.set(key, installation);
    installation.catch(() => byRepository.delete(key));
    return installation;
  }
  const of = async (key: RepositoryKey): Promise<InstallationFacts> => byRepository.get(key) ?? find(key);

  return {
    of,
    isKnown: (key) => byRepository.has(key),
    forget: (key) => void byRepository.delete(key),
    async hasMoved(key) {
      if (clock.now() - (checkedAt.get(key) ?? 0) < minCheckIntervalMs) return false;
      const before = await byRepository.get(key)?.catch(() => undefined);
      byRepository.delete(key);
      const now = await of(key).catch(() => undefined);
      return now !== undefined && before !== undefined && now.id !== before.id;
    },
  };
}

/** Reads the key for each use. The last key stays in use while a new one is being written. */
function keyReader(read: () => string): () => string {
  let last: string | undefined;
  return () => {
    try {
      const key = read().replaceAll(String.raw`\n`, '\n');
      if (key !== last) createPrivateKey(key);
      last = key;
    } catch (error) {
      if (last !== undefined) return last;
      if (error instanceof Failure) throw error;
      // Without the cause: a message must not contain any part of the key.
      throw new Failure('config-invalid', {
        message: 'The key of the GitHub App is not a private key in PEM format.',
        hint: 'Use the .pem file that GitHub created for the App (settings of the App, "Private keys").',
      });
    }
    return last;
  };
}

/**
 * The JSON Web Token with which an App identifies itself. `nowMs`: GitHub's time, in milliseconds since 1970.
 */
function createAppJwt(
  appId: string | number,
  privateKey: string,
  nowMs: number,
): { readonly jwt: string; readonly expiresAt: string } {
  const iat = Math.floor(nowMs / 1_000) - backdateSeconds;
  const exp = iat + lifetimeSeconds;
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const content = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ iat, exp, iss: String(appId) })}`;
  const signature = sign('RSA-SHA256', Buffer.from(content), createPrivateKey(privateKey));
  return {
    jwt: `${content}.${signature.toString('base64url')}`,
    expiresAt: new Date(exp * 1_000).toISOString(),
  };
}
