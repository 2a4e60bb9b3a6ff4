import type { Clock, Logger, Random } from '../../lib/core/ports.ts';
import type { FaultPlan } from '../faults/fault-schema.ts';
import type { Faults } from '../faults/faults.ts';
import type { LedgerEntry, LedgerFilter } from './ledger.ts';
import type { LoggedRequest } from './exchange.ts';
import type { Seed } from '../seed/seed-schema.ts';
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
  /** For the git that reads them; it gets PATH, HOME and the like of it and no secrets. Without it git inherits that of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  /** Makes ids and tokens repeatable; for tests only, as they can then be guessed. */
  readonly random?: Random;
  readonly logger?: Logger;
  readonly limits?: Partial<Limits>;
  /** Instead of the seed's: what goes wrong on purpose. */
  readonly faults?: FaultPlan;
  /** Lets fields through that the specification does not know, and forgets them; strict by default. */
  readonly loose?: boolean;
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
  /** What goes wrong on purpose; a wrong plan throws Failure `config-invalid`. */
  readonly faults: PlatformFaults;
  /** Every effect in order: what really happened, whatever the caller got to see. */
  ledger(filter?: LedgerFilter): readonly LedgerEntry[];
  /** The clock that executions, tokens, streaming states and the audit window follow. */
  readonly clock: PlatformTime;
  /** As after the first start, with the same ids and tokens. */
  reset(): void;
  /** The newest requests, and how many there were of each operation. */
  requests(): {
    readonly counts: Readonly<Record<string, number>>;
    readonly requests: readonly LoggedRequest[];
  };
  close(): Promise<void>;
}

export interface PlatformFaults {
  /** Replaces what is there, the rate limit too. */
  set(plan: FaultPlan): void;
  add(plan: FaultPlan): void;
  clear(): void;
  /** The rules with how many calls matched each, and how often it struck. */
  list(): ReturnType<Faults['list']>;
}

export interface PlatformTime {
  /** Milliseconds since the epoch. */
  now(): number;
  freeze(): void;
  /** Lets it run on from where it stands. */
  resume(): void;
  /**
   * Moves on by milliseconds, or by a time such as `30m`; resolves when everything that was due has happened.
   * @throws Failure `config-invalid` for what is no time
   */
  advance(by: number | string): Promise<void>;
}

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenUrl: string;
}
