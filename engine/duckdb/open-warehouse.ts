import { basename, dirname } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import { createClock, seedSql } from './connection/clock.ts';
import { DuckdbWarehouse } from './duckdb-warehouse.ts';
import { lockFile } from './connection/file-lock.ts';
import { registerFunctions } from './values/functions.ts';
import { type Duckdb, loadDuckdb, loadDuckdbFrom } from './connection/load-duckdb.ts';
import { notOpened } from './connection/not-opened.ts';
import { quoteName, quoteText } from './catalog/physical-name.ts';
import { Session } from './session.ts';
import { sqlFailure } from './connection/sql-failure.ts';
import { type FileLimit, StatementGuard } from './connection/statement-guard.ts';
import type { Warehouse } from './connection/warehouse.ts';

export interface WarehouseOptions {
  readonly kind: WarehouseKind;
  /** The maximum memory, as DuckDB writes it: `500MB` or `2GB`. A statement that needs more memory fails. */
  readonly memoryLimit: string;
  /** The database file. It is created if it does not exist. Without a file, the warehouse is in memory. */
  readonly file?: string;
  /**
   * The maximum size of the file. A statement that would make the file larger fails. By default, there is no maximum.
   */
  readonly fileLimit?: FileLimit;
  /**
   * An empty folder, used by this process only, for data that does not fit into memory. By default, there is none,
   * and a statement that needs more memory than the limit fails. DuckDB allows its statements to access files in this
   * folder, and no others.
   */
  readonly spillFolder?: string;
  /** Further database files, which are only read. The keys are the names under which statements refer to them. */
  readonly attached?: Readonly<Record<string, string>>;
  /** Files that statements may read and write. Only for a warehouse that does not run SQL of a project. */
  readonly openFiles?: readonly string[];
  /**
   * The number of threads, 1 by default. With more threads, rows without an ORDER BY may have a different order in
   * each run.
   */
  readonly threads?: number;
  /**
   * Returns the time for the clock functions in views and defaults, in milliseconds since the epoch. By default, the
   * time of the system.
   */
  readonly now?: () => number;
  /**
   * The folder whose `node_modules` contains the DuckDB package. By default, the folder in which Millrace itself
   * finds its packages.
   */
  readonly packages?: string | undefined;
}

/**
 * Opens a warehouse whose SQL has no access to files, the network, extensions or settings. Throws
 * WarehouseUnavailable if the optional DuckDB package is not installed, and WarehouseNotOpened if the database file
 * cannot be opened.
 */
export async function openWarehouse(options: WarehouseOptions): Promise<Warehouse> {
  const { file, fileLimit, memoryLimit, kind, packages } = options;
  const duckdb = await (packages === undefined ? loadDuckdb() : loadDuckdbFrom(packages));
  const lock = file === undefined ? undefined : await lockFile(file);
  const { spillFolder, attached = {}, openFiles = [] } = options;
  const files = [...(lock === undefined ? [] : [lock.path]), ...Object.values(attached), ...openFiles];
  const hidden = [...files.map((path) => dirname(path)), ...(spillFolder === undefined ? [] : [spillFolder])];
  const failures = { kind, memoryLimit, hidden };
  let instance: DuckDBInstance | undefined;
  const close = () => {
    instance?.closeSync();
    lock?.[Symbol.dispose]();
  };
  try {
    instance = await createInstance(duckdb, options);
    const connection = await sandboxed(instance, { ...options, path: lock?.path });
    const running = { isEnding: false, orderedTypes: new Map<string, string>() };
    registerFunctions(duckdb, connection, { memoryLimit, running });
    const guard = new StatementGuard({ memoryLimit, path: lock?.path, fileLimit });
    const warehouse = new DuckdbWarehouse({
      duckdb,
      kind,
      session: new Session(connection, { failures, guard, running }),
      guard,
      clock: createClock(),
      now: options.now ?? (() => systemClock.now()),
      close,
      isInFile: file !== undefined,
    });
    await warehouse.refresh();
    return warehouse;
  } catch (error) {
    close();
    const failure = sqlFailure(error, { ...failures, sql: undefined });
    throw file === undefined ? failure : notOpened(basename(file), failure);
  }
}

function createInstance(duckdb: Duckdb, options: WarehouseOptions): Promise<DuckDBInstance> {
  return duckdb.DuckDBInstance.create(':memory:', {
    memory_limit: options.memoryLimit,
    threads: String(options.threads ?? 1),
    // Without a folder of its own, DuckDB would write to the disk what does not fit into memory.
    temp_directory: options.spillFolder ?? '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
}

/**
 * Rules of the optimizer that give wrong rows in this version of DuckDB: `top_n_window_elimination` if ROW_NUMBER has a
 * filter (issues 23588, 23675, 23677 and 24363 of DuckDB), `common_subplan` in UNION ALL (24624, 25819), and
 * `window_self_join`, which computes random values twice (24302).
 */
const WRONG_RULES = ['top_n_window_elimination', 'common_subplan', 'window_self_join'] as const;

/** After this, nothing can be attached, and no setting can change. */
async function sandboxed(
  instance: DuckDBInstance,
  {
    path,
    attached = {},
    openFiles = [],
  }: Pick<WarehouseOptions, 'attached' | 'openFiles'> & { readonly path: string | undefined },
): Promise<DuckDBConnection> {
  const connection = await instance.connect();
  await connection.run('SET errors_as_json = true');
  if (path !== undefined) {
    // Not opened as the main database: after a crash, DuckDB cannot read the log of such a file again if a table with
    // a check was altered.
    await connection.run(`ATTACH ${quoteText(path)} AS warehouse`);
    await connection.run('USE warehouse');
  }
  for (const [name, file] of Object.entries(attached))
    await connection.run(`ATTACH ${quoteText(file)} AS ${quoteName(name)} (READ_ONLY)`);
  if (openFiles.length > 0)
    await connection.run(`SET allowed_paths = [${openFiles.map(quoteText).join(', ')}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run("SET timezone = 'UTC'");
  await connection.run(seedSql);
  await connection.run("SET default_null_order = 'nulls_last_on_asc_first_on_desc'");
  await connection.run(`SET disabled_optimizers = ${quoteText(WRONG_RULES.join(','))}`);
  await connection.run('SET lock_configuration = true');
  return connection;
}
