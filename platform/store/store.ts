import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Failure } from '../../lib/core/failure.ts';
import { createReadCache } from './read-cache.ts';
import { schema, schemaVersion } from './schema.ts';

/** The platform's state. Every call is synchronous, so what stands in one `transaction` is never interleaved. */
export interface Store {
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  all<Row>(sql: string, ...values: SQLInputValue[]): readonly Row[];
  /** Answers how many rows changed. */
  run(sql: string, ...values: SQLInputValue[]): number;
  /** Everything or nothing; a thrown error rolls back. Inside another transaction it joins that one. */
  transaction<Result>(work: () => Result): Result;
  /** Empties every table, as it was before anything was planted. Call it inside a transaction. */
  clear(): void;
  close(): void;
}

/**
 * Opens the state under a directory, or in memory. The only file that knows which database it is.
 * @throws Failure `storage-failed` where the directory cannot be used; `config-invalid` where another version of
 * the platform made it.
 */
export function openStore(data: string): Store {
  const database = open(data);
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const made = database.prepare(sql);
    statements.set(sql, made);
    return made;
  };
  // Two: of the same words, one asks for the first row alone.
  const first = createReadCache();
  const whole = createReadCache();
  const forget = () => {
    first.forget();
    whole.forget();
  };
  let inside = false;
  return {
    get: <Row>(sql: string, ...values: SQLInputValue[]) =>
      first.rows(sql, values, () => {
        const row = prepare(sql).get(...values);
        return row === undefined ? [] : [row];
      })[0] as Row | undefined,
    all: <Row>(sql: string, ...values: SQLInputValue[]) =>
      whole.rows(sql, values, () => prepare(sql).all(...values)) as readonly Row[],
    run(sql, ...values) {
      forget();
      return Number(prepare(sql).run(...values).changes);
    },
    transaction(work) {
      if (inside) return work();
      database.exec('BEGIN IMMEDIATE');
      inside = true;
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        forget();
        // SQLite rolls back by itself where the disk is full.
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      } finally {
        inside = false;
      }
    },
    clear() {
      forget();
      // Whatever order the tables come in; what still names nothing at the end of the transaction is refused then.
      database.exec('PRAGMA defer_foreign_keys = ON');
      const tables = database
        .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
        .all();
      for (const { name } of tables) database.exec(`DELETE FROM "${String(name)}"`);
      database.exec('DELETE FROM sqlite_sequence');
    },
    close: () => database.close(),
  };
}

function open(data: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    const inMemory = data === ':memory:';
    if (!inMemory) mkdirSync(data, { recursive: true, mode: 0o700 });
    database = new DatabaseSync(inMemory ? ':memory:' : join(data, 'platform.sqlite'));
    // Two platforms over one directory would sweep away each other's files; the lock goes with the process.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    // A committed row is in the operating system's hands before the answer is: kill -9 cannot take it back.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    bringUp(database, data);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof Failure ? error : unusable(data, error);
  }
}

function unusable(data: string, error: unknown): Failure {
  const busy = (error as { errcode?: number }).errcode === busyCode;
  const reason = error instanceof Error ? error.message : String(error);
  return new Failure('storage-failed', {
    message: `The platform cannot keep its state in ${data}: ${busy ? 'another platform uses it' : reason}.`,
    where: { input: '--data' },
    cause: error,
    ...(busy ? { hint: 'Stop the other one, or choose another directory.' } : {}),
  });
}

/** SQLITE_BUSY */
const busyCode = 5;

function bringUp(database: DatabaseSync, data: string): void {
  const row = database.prepare('PRAGMA user_version').get();
  const version = Number(row?.['user_version']);
  if (version === schemaVersion) return;
  if (version !== 0) {
    throw new Failure('config-invalid', {
      message: `The state in ${data} has schema version ${String(version)}; this platform reads version ${String(schemaVersion)}.`,
      where: { input: '--data' },
      hint: 'Choose another directory, or start the version of Millrace that wrote it.',
    });
  }
  // One transaction: a crash in the middle leaves an empty database, not half a schema.
  database.exec(`BEGIN; ${schema} PRAGMA user_version = ${String(schemaVersion)}; COMMIT`);
}
