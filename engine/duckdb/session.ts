import { AsyncLocalStorage } from 'node:async_hooks';
import type { DuckDBConnection } from '@duckdb/node-api';
import { SqlError } from '../core/refusal.ts';
import type { RunningStatement } from './values/functions.ts';
import { type FailureContext, InvalidDatabase, sqlFailure } from './connection/sql-failure.ts';
import type { StatementGuard } from './connection/statement-guard.ts';
import { WarehouseStopped } from './connection/warehouse.ts';

/** Runs one piece of work at a time, in the order of the calls. */
class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    // A failure belongs to its caller; the next piece of work only waits for the end.
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** An interrupt affects only a statement that has begun: it is repeated until the statement ends. */
const interruptIntervalMs = 20;

/** The transaction that the work belongs to; found again through the asynchronous context. */
interface Scope {
  readonly mutex: Mutex;
  readonly generation: number;
  readonly signal: AbortSignal | undefined;
  isOpen: boolean;
  /** The bytes of changes in memory before the transaction; undefined before its first statement, which begins it in DuckDB. */
  bytesBefore: number | undefined;
}

/** Changes are in memory until they are committed. What was committed is there until DuckDB writes it to the file. */
const bytesOfChanges = `SELECT CAST(sum(memory_usage_bytes) AS DOUBLE) FROM duckdb_memory()
  WHERE tag IN ('IN_MEMORY_TABLE', 'OVERFLOW_STRINGS', 'ALLOCATOR', 'TRANSACTION')`;

/** DuckDB's query for the number of bytes in the database file that are not in use. */
export const freeBytes =
  "SELECT CAST(free_blocks * block_size AS DOUBLE) FROM pragma_database_size() WHERE database_name = 'warehouse'";

interface Running {
  isStopped: boolean;
  /** The limit that the statement has reached. */
  exceeded: string | undefined;
}

/** What belongs to one statement. */
interface StatementOptions {
  /** For the error. */
  readonly sql?: string | undefined;
  /** Ends this statement only: others, of other executions, continue. */
  readonly signal?: AbortSignal | undefined;
}

interface SessionOptions {
  readonly failures: Omit<FailureContext, 'sql'>;
  readonly guard: StatementGuard;
  /** What the functions of the engine know of the statement. */
  readonly running: RunningStatement;
}

/**
 * The only connection of a warehouse. Statements run one after another, because the writes of two connections would
 * conflict. While a transaction is open, all other statements wait for its end.
 */
export class Session {
  readonly #connection: DuckDBConnection;
  readonly #failures: Omit<FailureContext, 'sql'>;
  readonly #mutex = new Mutex();
  readonly #scopes = new AsyncLocalStorage<Scope>();
  /** Counts the calls of `stop`. A statement that was requested before the last call never starts. */
  #generation = 0;
  #isStopped = false;
  #isInvalid = false;
  #isClosed = false;
  #running: Running | undefined;
  readonly #guard: StatementGuard;
  readonly #known: RunningStatement;
  #interrupts: NodeJS.Timeout | undefined;

  constructor(connection: DuckDBConnection, { failures, guard, running }: SessionOptions) {
    this.#connection = connection;
    this.#failures = failures;
    this.#guard = guard;
    this.#known = running;
  }

  /** Whether DuckDB has closed the database because it could not write the file, for example on a full disk. */
  get isInvalid(): boolean {
    return this.#isInvalid;
  }

  /** Runs `work` after all work that was requested before it. */
  statement<Result>(
    work: (connection: DuckDBConnection) => Promise<Result>,
    options: StatementOptions = {},
  ): Promise<Result> {
    const scope = this.#openScope();
    const generation = scope?.generation ?? this.#generation;
    const signal = options.signal ?? scope?.signal;
    return inTurn(scope?.mutex ?? this.#mutex, signal, () => {
      if (this.#isStopped || generation !== this.#generation) throw new WarehouseStopped();
      return this.#execute(work, { ...options, signal, scope });
    });
  }

  /** Runs `work` in a transaction. After a rollback, the function that `save` returned runs first. */
  transaction<Result>(
    work: () => Promise<Result>,
    save: () => () => void,
    signal?: AbortSignal,
  ): Promise<Result> {
    if (this.#openScope() !== undefined) return work();
    const generation = this.#generation;
    return inTurn(this.#mutex, signal, async () => {
      if (this.#isStopped || generation !== this.#generation) throw new WarehouseStopped();
      const scope: Scope = { mutex: new Mutex(), generation, signal, isOpen: true, bytesBefore: undefined };
      const restore = save();
      try {
        const result = await this.#scopes.run(scope, work);
        await this.#commit(scope);
        return result;
      } catch (error) {
        await this.#rollBack(scope);
        restore();
        throw error;
      }
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#generation += 1;
    if (this.#running !== undefined) this.#stop(this.#running);
  }

  resume(): void {
    this.#isStopped = this.#isClosed;
  }

  /** Refuses all later statements, and waits for the running statement. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.stop();
    await this.#mutex.run(async () => this.#connection.closeSync());
  }

  #openScope(): Scope | undefined {
    const scope = this.#scopes.getStore();
    return scope?.isOpen === true ? scope : undefined;
  }

  /** Begins a transaction before its first statement. Many transactions run no statement, because the catalog has the answers. */
  async #begin(scope: Scope): Promise<void> {
    // What was removed before becomes free space. The file is written only if that is needed, because the disk may be full.
    if (this.#guard.takeRemoval()) await this.#control('CHECKPOINT');
    this.#guard.forgetGrowth();
    const bytesBefore = await this.#bytesOfChanges();
    // Nobody waits for this work any longer.
    const isStopped = scope.generation !== this.#generation || scope.signal?.aborted === true;
    if (isStopped) throw new WarehouseStopped();
    await this.#control('BEGIN TRANSACTION');
    scope.bytesBefore = bytesBefore;
  }

  /** Commits the transaction, after the statements that the work started without waiting for them. */
  async #commit(scope: Scope): Promise<void> {
    scope.isOpen = false;
    await scope.mutex.run(async () => {
      const isStopped = scope.generation !== this.#generation || scope.signal?.aborted === true;
      if (isStopped) throw new WarehouseStopped();
      if (scope.bytesBefore === undefined) return;
      await this.#refuseWhereTooLarge(scope.bytesBefore);
      await this.#control('COMMIT');
    });
  }

  /** Refuses to commit changes that would make the file too large, before the commit writes them to the file. */
  async #refuseWhereTooLarge(bytesBefore: number): Promise<void> {
    if (!this.#guard.isLimited) return;
    const changes = (await this.#bytesOfChanges()) - bytesBefore;
    if (!this.#guard.isFullWith(changes, 0)) return;
    if (this.#guard.isFullWith(changes, await this.#number(freeBytes)))
      throw new SqlError(this.#guard.fullMessage);
  }

  async #bytesOfChanges(): Promise<number> {
    return this.#guard.isLimited ? this.#number(bytesOfChanges) : 0;
  }

  async #number(sql: string): Promise<number> {
    return Number((await this.#connection.runAndReadAll(sql)).value(0, 0));
  }

  async #rollBack(scope: Scope): Promise<void> {
    scope.isOpen = false;
    try {
      await scope.mutex.run(async () => {
        if (scope.bytesBefore !== undefined) await this.#control('ROLLBACK');
      });
    } catch {
      // A commit that failed has ended the transaction already.
    }
  }

  /** Runs a statement that `stop` does not interrupt. An interrupted rollback would leave the transaction open. */
  async #control(sql: string): Promise<void> {
    try {
      await this.#connection.run(sql);
    } catch (error) {
      throw this.#failureOf(error, sql);
    }
  }

  #failureOf(error: unknown, sql: string | undefined): Error {
    const failure = sqlFailure(error, { ...this.#failures, sql });
    this.#isInvalid ||= failure instanceof InvalidDatabase;
    return failure;
  }

  #stop(running: Running): void {
    running.isStopped = true;
    this.#interrupt();
  }

  #interrupt(): void {
    this.#known.isEnding = true;
    this.#connection.interrupt();
    this.#interrupts ??= setInterval(() => this.#connection.interrupt(), interruptIntervalMs);
  }

  async #execute<Result>(
    work: (connection: DuckDBConnection) => Promise<Result>,
    { sql, signal, scope }: StatementOptions & { readonly scope: Scope | undefined },
  ): Promise<Result> {
    if (scope !== undefined && scope.bytesBefore === undefined) await this.#begin(scope);
    const running: Running = { isStopped: false, exceeded: undefined };
    const stop = () => this.#stop(running);
    const endWatch = this.#guard.watch((reason) => {
      running.exceeded = reason;
      this.#interrupt();
    });
    this.#running = running;
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await work(this.#connection);
    } catch (error) {
      if (running.isStopped) throw new WarehouseStopped();
      if (running.exceeded === undefined) throw this.#failureOf(error, sql);
      throw new SqlError(running.exceeded, sql === undefined ? {} : { ran: sql });
    } finally {
      endWatch();
      signal?.removeEventListener('abort', stop);
      this.#running = undefined;
      this.#known.isEnding = false;
      this.#known.orderedTypes.clear();
      clearInterval(this.#interrupts);
      this.#interrupts = undefined;
    }
  }
}

/**
 * How long an abort waits for work that has begun. Most work stops within this time; a commit, a rollback, or DuckDB between two checks
 * for an interrupt may take longer.
 */
const patienceMs = 250;

/**
 * Runs `work` in its turn. An abort ends the wait for the turn at once, and soon ends the wait for work that has begun.
 * Such work still runs to its end, and the others wait for this.
 */
function inTurn<Result>(
  mutex: Mutex,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (signal?.aborted === true) return Promise.reject(new WarehouseStopped());
  let hasBegun = false;
  const result = mutex.run(() => {
    if (signal?.aborted === true) throw new WarehouseStopped();
    hasBegun = true;
    return work();
  });
  if (signal === undefined) return result;
  const aborted = Promise.withResolvers<never>();
  let patience: NodeJS.Timeout | undefined;
  const leave = () => {
    const stop = () => aborted.reject(new WarehouseStopped());
    if (hasBegun) patience = setTimeout(stop, patienceMs);
    else stop();
  };
  signal.addEventListener('abort', leave, { once: true });
  return Promise.race([result, aborted.promise]).finally(() => {
    signal.removeEventListener('abort', leave);
    clearTimeout(patience);
  });
}
