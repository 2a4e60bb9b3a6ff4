import type { Clock, Logger, Random } from '../model/ports.ts';
import type { Seed } from './seed/seed-schema.ts';
import type { Limits } from './world.ts';

export interface PlatformOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1: nobody outside this machine reaches it. */
  readonly host?: string;
  /** `:memory:` (default), or the directory that keeps the state. */
  readonly data?: string;
  /** Planted into empty state only; state that is there already wins. */
  readonly seed?: Seed;
  /** Folder of the repositories that reviews read: `<gitRoot>/<ownerName>/<repositoryName>`. */
  readonly gitRoot?: string;
  readonly clock?: Clock;
  /** Makes ids and tokens repeatable; for tests only, as they can then be guessed. */
  readonly random?: Random;
  readonly logger?: Logger;
  readonly limits?: Partial<Limits>;
  /** Checks every answer against the contract, and fails with 500 where one does not fit. */
  readonly checkAnswers?: boolean;
}

/** A running local platform. */
export interface Platform extends AsyncDisposable {
  readonly baseUrl: string;
  /** The first project of the seed; empty where it has none. */
  readonly projectId: string;
  /** The ready-made token of the first credential of each role; empty where the seed has none. */
  readonly tokens: Readonly<Record<'superAdmin' | 'admin' | 'member', string>>;
  /** The first credential that can fetch tokens; nothing where the seed has none. */
  readonly clientCredentials: ClientCredentials | undefined;
  /** What a client needs, for `--env-file`. */
  environment(): Record<`MILLRACE_${string}`, string>;
  close(): Promise<void>;
}

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenUrl: string;
}
