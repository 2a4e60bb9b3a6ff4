import { createPrivateKey } from 'node:crypto';
import { createAppAuth } from '@octokit/auth-app';
import { z } from 'zod';
import { Failure } from '../core/failure.ts';
import type { Clock } from '../core/ports.ts';
import { systemClock } from '../core/system-clock.ts';
import type { GitHubAccess, RepositoryKey } from './github-access.ts';
import { githubFailure } from './github-failure.ts';
import { createOctokit, silentLog } from './octokit.ts';
import { readAnswer } from './read-answer.ts';

export interface AppOptions {
  readonly apiUrl: string;
  readonly appId: string | number;
  /** The App's private key, PEM in PKCS #1 or PKCS #8. Kept in memory only. */
  readonly privateKey: string;
  /** Milliseconds for one request. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
}

const installationAnswer = z.object({ id: z.int().positive() });

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
  checkKey(privateKey);
  const octokit = createOctokit({ apiUrl, timeoutMs });
  const auth = createAppAuth({ appId, privateKey, request: octokit.request, log: silentLog });
  const installations = new Map<RepositoryKey, Promise<number>>();
  const ids = new Map<string, number>();

  const appToken = async (): Promise<string> => (await auth({ type: 'app' })).token;
  const keyOf = (repository: RepositoryKey): RepositoryKey =>
    typeof repository === 'string' ? (ids.get(repository.toLowerCase()) ?? repository) : repository;

  async function findInstallation(key: RepositoryKey): Promise<number> {
    const path = typeof key === 'number' ? `/repositories/${key}` : `/repos/${key}`;
    const headers = { authorization: `bearer ${await appToken()}` };
    try {
      const { data } = await octokit.request(`GET ${path}/installation`, { headers });
      return readAnswer(installationAnswer, data).id;
    } catch (error) {
      throw githubFailure(error, {
        operation: `find the installation of the App on repository ${key}`,
        deniedHint: 'Install the GitHub App on the repository, and check its id and key.',
        now: clock.now(),
      });
    }
  }

  function installationOf(key: RepositoryKey): Promise<number> {
    const known = installations.get(key);
    if (known !== undefined) return known;
    const found = findInstallation(key);
    installations.set(key, found);
    found.catch(() => installations.delete(key));
    return found;
  }

  return {
    kind: 'app',
    appToken,
    async tokenFor(repository, refused = false) {
      const key = keyOf(repository);
      // A removed and reinstalled App has a new installation.
      if (refused) installations.delete(key);
      const installationId = await installationOf(key);
      const only =
        typeof key === 'number'
          ? { repositoryIds: [key] }
          : { repositoryNames: [key.slice(key.indexOf('/') + 1)] };
      try {
        const { token } = await auth({ type: 'installation', installationId, ...only, refresh: refused });
        return token;
      } catch (error) {
        throw githubFailure(error, {
          operation: `create a token of the App for repository ${key}`,
          now: clock.now(),
        });
      }
    },
    accountOf: async (repository) => `installation-${await installationOf(keyOf(repository))}`,
    learn: (fullName, id) => void ids.set(fullName.toLowerCase(), id),
  };
}

function checkKey(privateKey: string): void {
  try {
    createPrivateKey(privateKey);
  } catch {
    // Without the cause: a message must not contain any part of the key.
    throw new Failure('config-invalid', {
      message: 'The key of the GitHub App is not a private key in PEM format.',
      hint: 'Use the .pem file that GitHub created for the App (settings of the App, "Private keys").',
    });
  }
}
