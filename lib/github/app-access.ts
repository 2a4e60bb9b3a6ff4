import { createPrivateKey } from 'node:crypto';
import { createAppAuth } from '@octokit/auth-app';
import { z } from 'zod';
import { Failure } from '../core/failure.ts';
import type { Clock } from '../core/ports.ts';
import { systemClock } from '../core/system-clock.ts';
import { createAppJwt } from './app-jwt.ts';
import { responseOf } from './error-response.ts';
import { failureDetails } from './failure-details.ts';
import type { AppFacts, GitHubAccess, InstallationFacts, RepositoryKey } from './github-access.ts';
import { type FailureContext, githubFailure } from './github-failure.ts';
import { createOctokit, silentLog } from './octokit.ts';
import { readAnswer } from './read-answer.ts';

export interface AppOptions {
  readonly apiUrl: string;
  readonly appId: string | number;
  /**
   * The App's private key, PEM in PKCS #1 or PKCS #8, or what returns it: called for each use, so that the key can be
   * replaced; while it throws or returns no key, the last key stays in use. Kept in memory only.
   */
  readonly privateKey: string | (() => string);
  /** Milliseconds for one request. */
  readonly timeoutMs?: number;
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

/** A shorter difference between the clocks comes from GitHub's whole seconds and the way. */
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
export function appAccess({
  apiUrl,
  appId,
  privateKey,
  timeoutMs = 15_000,
  clock = systemClock,
}: AppOptions): GitHubAccess {
  const currentKey = keyReader(typeof privateKey === 'string' ? () => privateKey : privateKey);
  currentKey();
  const octokit = createOctokit({ apiUrl, timeoutMs });
  let aheadMs = 0;
  const createJwt = async () => createAppJwt(appId, currentKey(), clock.now() - aheadMs);
  const auth = createAppAuth({ appId, createJwt, request: octokit.request, log: silentLog });
  const installations = new Map<RepositoryKey, Promise<InstallationFacts>>();
  const checkedAt = new Map<RepositoryKey, number>();
  const ids = new Map<string, number>();

  const keyOf = (repository: RepositoryKey): RepositoryKey =>
    typeof repository === 'string' ? (ids.get(repository.toLowerCase()) ?? repository) : repository;

  /** Performs a request as the App; once more if only this host's clock was wrong. */
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
      throw githubFailure(error, { ...context, now: clock.now() });
    }
  }

  async function read<T>(path: string, schema: z.ZodType<T>, context: AppRequest): Promise<T> {
    return asApp(context, async () => {
      const headers = { authorization: `bearer ${(await createJwt()).jwt}` };
      const { data } = await octokit.request(`GET ${path}`, { headers });
      return readAnswer(schema, data);
    });
  }

  async function findInstallation(key: RepositoryKey): Promise<InstallationFacts> {
    checkedAt.set(key, clock.now());
    const path = typeof key === 'number' ? `/repositories/${key}` : `/repos/${key}`;
    const found = await read(`${path}/installation`, installationAnswer, {
      operation: `find the installation of the App on repository ${key}`,
      deniedHint: installHint,
      notFound: 'not-installed',
    });
    const { id, permissions, events, suspended_at: suspendedAt } = found;
    return { id, permissions, events, isSuspended: typeof suspendedAt === 'string' };
  }

  async function installationOf(key: RepositoryKey): Promise<InstallationFacts> {
    const known = installations.get(key);
    if (known !== undefined) return known;
    const found = findInstallation(key);
    installations.set(key, found);
    found.catch(() => installations.delete(key));
    return found;
  }

  async function tokenOf(key: RepositoryKey, installationId: number, refresh: boolean): Promise<string> {
    const only =
      typeof key === 'number'
        ? { repositoryIds: [key] }
        : { repositoryNames: [key.slice(key.indexOf('/') + 1)] };
    const context = {
      operation: `create a token of the App for repository ${key}`,
      deniedHint: installHint,
      notFound: 'not-installed',
    } as const;
    const act = async () => auth({ type: 'installation', installationId, ...only, refresh });
    return (await asApp(context, act)).token;
  }

  return {
    kind: 'app',
    appToken: async () => (await createJwt()).jwt,
    keyOf,
    async tokenFor(repository, refused = false) {
      const key = keyOf(repository);
      // A removed and reinstalled App has a new installation.
      if (refused) installations.delete(key);
      const wasKnown = installations.has(key);
      const { id } = await installationOf(key);
      try {
        return await tokenOf(key, id, refused);
      } catch (error) {
        installations.delete(key);
        const { status } = failureDetails(error);
        if (!wasKnown || status === undefined || ![401, 403, 404].includes(status)) throw error;
        const now = await installationOf(key);
        if (now.id === id) throw error;
        return tokenOf(key, now.id, refused);
      }
    },
    async accountOf(repository) {
      return `installation-${(await installationOf(keyOf(repository))).id}`;
    },
    async hasMoved(repository) {
      const key = keyOf(repository);
      if (clock.now() - (checkedAt.get(key) ?? 0) < minCheckIntervalMs) return false;
      const before = await installations.get(key)?.catch(() => undefined);
      installations.delete(key);
      const now = await installationOf(key).catch(() => undefined);
      return now !== undefined && before !== undefined && now.id !== before.id;
    },
    async installation(repository) {
      const key = keyOf(repository);
      installations.delete(key);
      return installationOf(key);
    },
    async app(): Promise<AppFacts> {
      const context = {
        operation: `find the GitHub App ${appId}`,
        deniedHint: keyHint,
        notFound: 'key',
      } as const;
      const found = await read('/app', appAnswer, context);
      const { id, permissions, events } = found;
      return { id, name: found.slug ?? String(id), permissions, events, aheadMs };
    },
    learn: (fullName, id) => void ids.set(fullName.toLowerCase(), id),
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
