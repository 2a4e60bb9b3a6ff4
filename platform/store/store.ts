import { messageOf } from '../../lib/core/errors/message-of.ts';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Failure } from '../../lib/core/errors/failure.ts';
import { makeFolder } from './make-folder.ts';
import { createReadCache } from './read-cache.ts';
import { schema, schemaVersion } from './schema.ts';

/** The platform's state. Every call is synchronous, so two transactions are never interleaved. */
export interface Store {
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  all<Row>(sql: string, ...values: SQLInputValue[]): readonly Row[];
  /** Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number;
  /** Atomic: an error rolls back. Inside another transaction it joins that one. */
  transaction<Result>(work: () => Result): Result;
  /** Empties every table. Call it inside a transaction. */
  clear(): void;
  close(): void;
}

/**
 * Opens the state in a directory or in memory. No other file depends on the kind of database.
 * @throws Failure `storage-failed` if the directory cannot be used; `config-invalid` if another version of the
 * platform created it.
 */
export function openStore(data: string): Store {
  const database = open(data);
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string) => {
    const existing = statements.get(sql);
    if (existing !== undefined) return existing;
    const made = database.prepare(sql);
    statements.set(sql, made);
    return made;
  };
  // Two caches: `get` and `all` may run the same SQL.
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
        // SQLite rolls back by itself if the disk is full.
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      } finally {
        inside = false;
      }
    },
    clear() {
      forget();
      // The order of the tables does not matter: foreign keys are checked at the end of the transaction.
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
    if (!inMemory) {
      makeFolder(data);
      refuseLostDatabase(data);
    }
    database = new DatabaseSync(inMemory ? ':memory:' : join(data, 'platform.sqlite'));
    // Two platforms in one directory would delete each other's files. The lock ends with the process.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    // A row is written to the operating system before the request is answered, so it survives kill -9.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    bringUp(database, data);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof Failure ? error : unusable(data, error);
  }
}

function unusable(data: string, error: unknown): Failure {
  const code = (error as { errcode?: number }).errcode ?? 0;
  const reason = messageOf(error);
  const where = { input: '--data' };
  if (code === busyCode)
    return new Failure('storage-failed', {
      message: `The platform cannot keep its state in ${data}: another platform uses it.`,
      where,
      cause: error,
      hint: 'Stop the other platform, or choose another folder.',
    });
  if (damagedCodes.has(code))
    return new Failure('storage-failed', {
      message: `The database platform.sqlite in ${data} is damaged: ${reason}.`,
      where,
      cause: error,
      hint: damagedHint,
    });
  if (code === cannotOpenCode)
    return new Failure('storage-failed', {
      message: `The platform cannot keep its state in ${data}: ${reason}.`,
      where,
      cause: error,
      hint: 'Make platform.sqlite in this folder a file that you may read and write, or choose another folder.',
    });
  return new Failure('storage-failed', {
    message: `The platform cannot keep its state in ${data}: ${reason}.`,
    where,
    cause: error,
  });
}

/**
 * The files and warehouses of a folder mean nothing without its database. A new one would have the files deleted, and a backup that
 * is restored later could not bring them back.
 */
function refuseLostDatabase(data: string): void {
  const size = statSync(join(data, 'platform.sqlite'), { throwIfNoEntry: false })?.size;
  if (size !== undefined && size > 0) return;
  if (!isFilled(join(data, 'files')) && !isFilled(join(data, 'warehouses'))) return;
  throw new Failure('storage-failed', {
    message: `The database platform.sqlite in ${data} is ${size === 0 ? 'empty' : 'missing'}, but the folder contains other data of a platform.`,
    where: { input: '--data' },
    hint: damagedHint,
  });
}

/** Whether a folder has more than the folder for uploads, which is always there. */
function isFilled(folder: string): boolean {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return false;
  return readdirSync(folder).some((name) => name !== 'arriving');
}

const damagedHint =
  'Restore the folder from a backup, choose another folder, or delete this one to start empty.';

/** SQLITE_BUSY */
const busyCode = 5;
/** SQLITE_CANTOPEN */
const cannotOpenCode = 14;
/** SQLITE_CORRUPT, SQLITE_NOTADB */
const damagedCodes: ReadonlySet<number> = new Set([11, 26]);

function bringUp(database: DatabaseSync, data: string): void {
  const row = database.prepare('PRAGMA user_version').get();
  const version = Number(row?.['user_version']);
  if (version === schemaVersion) return;
  if (version !== 0) {
    throw new Failure('config-invalid', {
      message: `The state in ${data} has schema version ${String(version)}; this platform reads version ${String(schemaVersion)}.`,
      where: { input: '--data' },
      hint: 'Choose another folder, or start the version of Millrace that wrote it.',
    });
  }
  // One transaction: a crash leaves an empty database, not half a schema.
  database.exec(`BEGIN; ${schema} PRAGMA user_version = ${String(schemaVersion)}; COMMIT`);
}
