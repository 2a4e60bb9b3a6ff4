import type { EnvironmentSettings } from '../../lib/config/environment/read-environment.ts';
import type { WorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { ProxySettings } from '../../lib/http/proxy-settings.ts';
import type { GitHubAccess } from '../../lib/github/access/github-access.ts';

export interface SecretReader {
  /** The value of a variable or the content of a file; undefined if neither is given. */
  read(variable: string | undefined, file: string | undefined): string | undefined;
  /** Masks the values in all later output. */
  mask(values: readonly string[]): void;
}

/**
 * Reads how the worker authenticates to GitHub: with the App or the token of worker.yaml, otherwise of the
 * environment. Throws Failure 'usage' if none is configured, 'config-missing', 'config-invalid'.
 */
export async function readGitHubAccess(
  config: WorkerConfig['github'],
  environment: EnvironmentSettings['github'],
  { read, mask }: SecretReader,
  proxy?: ProxySettings,
): Promise<GitHubAccess> {
  const apiUrl = config.apiUrl ?? environment.apiUrl;
  const inFile = read(config.tokenEnv, config.tokenFile);
  const app = appOf(config, inFile === undefined ? environment : {}, read);
  if (app !== undefined) {
    let masked: string | undefined;
    const privateKey = (): string => {
      const key = app.readKey();
      if (key === masked) return key;
      masked = key;
      // Each line too: output may contain single lines of a multi-line key.
      mask([key, ...key.split(/\r?\n/).filter((line) => /^[A-Za-z0-9+/=]{16,}$/.test(line))]);
      return key;
    };
    const { appAccess } = await import('../../lib/github/access/app-access.ts');
    return appAccess({ apiUrl, appId: app.id, privateKey, proxy });
  }
  const source =
    inFile === undefined
      ? { token: environment.token?.reveal(), file: environment.tokenFile }
      : { token: inFile, file: config.tokenFile };
  if (source.token === undefined) {
    throw new Failure('usage', {
      message: 'The worker has no credential for GitHub.',
      where: { input: 'MILLRACE_GITHUB_TOKEN' },
      hint: 'Set MILLRACE_GITHUB_TOKEN to a token that can read contents and write commit statuses and deployments. For a GitHub App, set MILLRACE_GITHUB_APP_ID and MILLRACE_GITHUB_APP_KEY_FILE.',
    });
  }
  const { tokenAccess } = await import('../../lib/github/access/github-access.ts');
  return tokenAccess(followToken(source.token, source.file, { read, mask }));
}

/** Reads the file for each use. The last token stays in use while the file is empty or cannot be read. */
function followToken(first: string, file: string | undefined, { read, mask }: SecretReader): () => string {
  let last = first;
  mask([first]);
  return () => {
    const token = file === undefined ? undefined : readable(() => read(undefined, file));
    if (token === undefined || token === '' || token === last) return last;
    mask([token]);
    last = token;
    return last;
  };
}

function readable(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The id of the App, and what reads its key: a file is read again for each use, so that the key can be rotated. */
function appOf(
  config: WorkerConfig['github'],
  environment: Partial<EnvironmentSettings['github']>,
  read: SecretReader['read'],
): { readonly id: string; readonly readKey: () => string } | undefined {
  const { appId, appKeyFile } = config;
  if (appId !== undefined && appKeyFile !== undefined)
    return { id: String(appId), readKey: () => read(undefined, appKeyFile) ?? '' };
  const { app } = environment;
  if (app === undefined) return undefined;
  const { key, keyFile } = app;
  return {
    id: app.id,
    readKey: () => (keyFile === undefined ? undefined : read(undefined, keyFile)) ?? key.reveal(),
  };
}
