import type { PythonOptions } from '../../engine/index.ts';
import type { Clock, Logger, Random } from '../../lib/core/ports/ports.ts';
import type { FaultPlan } from '../faults/fault-schema.ts';
import type { Faults } from '../faults/faults.ts';
import type { LedgerEntry, LedgerFilter } from './ledger.ts';
import type { LoggedRequest } from './exchange.ts';
import type { AllowedSource, SecretPlace, Seed } from '../seed/seed-schema.ts';
import type { Limits } from './world.ts';

export interface PlatformOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1: not reachable from other machines. */
  readonly host?: string;
  /** `:memory:` (default), or the directory that keeps the state. */
  readonly data?: string;
  /** Only planted into an empty state; an existing state takes precedence. */
  readonly seed?: Seed;
  /** Folder of the repositories that reviews read: `<gitRoot>/<ownerName>/<repositoryName>`. */
  readonly gitRoot?: string;
  /**
   * Environment for git, which receives PATH, HOME and similar variables and no secrets. Default: the environment of
   * the process.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  /** Makes ids and tokens repeatable. For tests only, because they can be guessed. */
  readonly random?: Random;
  readonly logger?: Logger;
  readonly limits?: Partial<Limits>;
  /** Faults to inject, instead of the seed's. */
  readonly faults?: FaultPlan;
  /** Accepts and drops fields that the specification does not define. Default: strict. */
  readonly loose?: boolean;
  /**
   * Lets Python components of pipelines run on this machine. No seed and no request can allow it. Default: they fail,
   * unless a scripted outcome replaces them.
   */
  readonly python?: PythonOptions | undefined;
  /** Servers that streaming pipelines may read, besides the seed's. */
  readonly allowedSources?: readonly AllowedSource[];
  /** Where secrets are, besides the seed's. These take precedence. */
  readonly secrets?: readonly SecretPlace[];
  /** Validates every answer against the contract, and fails with 500 if it is invalid. */
  readonly checkAnswers?: boolean;
}

/** A running local platform. */
export interface Platform extends AsyncDisposable {
  readonly baseUrl: string;
  /** Id of the first project of the seed; empty if it has none. */
  readonly projectId: string;
  /** The fixed token of the first credential of each role; empty if the seed has none. */
  readonly tokens: Readonly<Record<'superAdmin' | 'admin' | 'member', string>>;
  /** The first credential that can request tokens; `undefined` if the seed has none. */
  readonly clientCredentials: ClientCredentials | undefined;
  /** Whether pipelines run on embedded DuckDB, or every component only succeeds (a setting of the seed). */
  readonly execution: 'engine' | 'simulate';
  /** Whether streaming pipelines capture changes, or only change their status (a setting of the seed). */
  readonly streaming: 'engine' | 'simulate';
  /** Environment variables for a client, for `--env-file`. */
  environment(): Record<`MILLRACE_${string}`, string>;
  /** The injected faults. An invalid plan throws Failure `config-invalid`. */
  readonly faults: PlatformFaults;
  /** Every effect in order: what really happened, even if the caller's answer was lost. */
  ledger(filter?: LedgerFilter): readonly LedgerEntry[];
  /** The clock that executions, tokens, streaming states and the audit window follow. */
  readonly clock: PlatformTime;
  /** Resets the state to that after the first start, with the same ids and tokens. */
  reset(): void;
  /** The newest requests, and the number of requests per operation. */
  requests(): {
    readonly counts: Readonly<Record<string, number>>;
    readonly requests: readonly LoggedRequest[];
  };
  close(): Promise<void>;
}

export interface PlatformFaults {
  /** Replaces all rules and the rate limit. */
  set(plan: FaultPlan): void;
  add(plan: FaultPlan): void;
  clear(): void;
  /** The rules, each with the number of matching calls and the number of times it was applied. */
  list(): ReturnType<Faults['list']>;
}

export interface PlatformTime {
  /** Milliseconds since the epoch. */
  now(): number;
  freeze(): void;
  /** Lets the clock run again from its current time. */
  resume(): void;
  /**
   * Moves the clock forward by milliseconds, or by a duration such as `30m`. Resolves when everything due has
   * happened.
   * @throws Failure `config-invalid` for an invalid duration
   */
  advance(by: number | string): Promise<void>;
}

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenUrl: string;
}
