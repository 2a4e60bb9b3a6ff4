import { openPlatformClient } from '../../flows/context/open-platform-client.ts';
import type { Client } from '../../client/index.ts';
import { Secret } from '../../lib/config/environment/secret.ts';
import type { Clock, Logger } from '../../lib/core/ports/ports.ts';
import {
  buildRepository,
  type GitHub,
  type GitHubOptions,
  type RepositoryBuilder,
  startGitHub,
} from '../../local-github/index.ts';
import { type Platform, type PlatformOptions, startPlatform } from '../../platform/index.ts';

/** The servers of a demo, without Redis and the worker. */
export interface Servers extends AsyncDisposable {
  readonly platform: Platform;
  readonly github: GitHub;
  /** Writes commits and tags of the repository, which is bare. */
  readonly builder: RepositoryBuilder;
  /** A client of the platform, as a super admin. */
  readonly client: Client;
}

export interface ServerOptions {
  /** The folder of the repositories, which the platform and GitHub share. */
  readonly gitRoot: string;
  /** Owner and name. */
  readonly repository: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly platform: Pick<PlatformOptions, 'seed' | 'data'>;
  readonly github: Omit<GitHubOptions, 'gitRoot' | 'environment'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Starts the local platform and the stand-in for GitHub, on free ports of the loopback. */
export async function startServers(options: ServerOptions): Promise<Servers> {
  const { gitRoot, repository, environment, clock, random, logger } = options;
  await using starting = new AsyncDisposableStack();
  const platform = starting.use(
    await startPlatform({ gitRoot, environment, clock, logger, ...options.platform }),
  );
  const builder = await buildRepository(gitRoot, repository, environment);
  const github = starting.use(await startGitHub({ gitRoot, environment, ...options.github }));
  const client = starting.use(
    openPlatformClient({
      baseUrl: platform.baseUrl,
      credential: { kind: 'token', token: new Secret(platform.tokens.superAdmin) },
      // Everything is on the loopback: no proxy.
      environment: {},
      clock,
      random,
      logger,
    }),
  );
  const closing = starting.move();
  return { platform, github, builder, client, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}
