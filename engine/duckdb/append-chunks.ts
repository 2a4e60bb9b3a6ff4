import type { DuckDBAppender, DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { inTurns, itemsOfPart, type LongWork } from '../../lib/core/ports/long-work.ts';
import type { Column } from '../core/relation.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import type { Duckdb } from './connection/load-duckdb.ts';
import type { RowValue } from './connection/warehouse.ts';
import { directReader } from './values/duckdb-value.ts';

/** The database, the schema and the name of a table in DuckDB, which differ from its names in the warehouse. */
export interface TablePlace {
  /** By default, the database of the connection. */
  readonly database?: string;
  readonly schema: string;
  readonly table: string;
}

/** Some rows of a table in the form in which DuckDB stores them: a list of values for each column. */
export type Chunk = readonly (readonly DuckDBValue[])[];

/** DuckDB takes at most this many rows at once. */
const rowsOfChunk = 2048;

/** DuckDB writes this many chunks at a time into the table, which nothing interrupts. */
const chunksOfFlush = 4;

interface DirectColumns {
  readonly duckdb: Duckdb;
  readonly columns: readonly Column[];
  readonly kind: WarehouseKind;
}

/**
 * Converts rows to chunks, the form in which DuckDB stores them. Undefined if a value must first be checked or
 * converted by SQL.
 */
export function* chunksOf(
  { duckdb, columns, kind }: DirectColumns,
  rows: readonly (readonly RowValue[])[],
): LongWork<readonly Chunk[] | undefined> {
  const readers = columns.map(({ type }) => directReader(duckdb, type, kind));
  const chunks: Chunk[] = [];
  let chunk: DuckDBValue[][] = [];
  for (const [index, row] of rows.entries()) {
    if (index % itemsOfPart === 0) yield;
    if (row.length !== columns.length) return undefined;
    if (index % rowsOfChunk === 0) {
      chunk = columns.map(() => []);
      chunks.push(chunk);
    }
    for (let place = 0; place < readers.length; place += 1) {
      const value = row[place] ?? null;
      const direct = value === null ? null : readers[place]?.(value);
      if (direct === undefined) return undefined;
      chunk[place]?.push(direct);
    }
  }
  return chunks;
}

/** Adds chunks of rows to a table whose columns are exactly the columns of the chunks. */
export async function appendChunks(
  connection: DuckDBConnection,
  duckdb: Duckdb,
  { table, schema, database }: TablePlace,
  chunks: readonly Chunk[],
): Promise<void> {
  if (chunks.length === 0) return;
  const appender = await connection.createAppender(table, schema, database);
  try {
    await inTurns(append(appender, duckdb, chunks));
  } finally {
    appender.closeSync();
  }
}

function* append(appender: DuckDBAppender, duckdb: Duckdb, chunks: readonly Chunk[]): LongWork<void> {
  const types = Array.from({ length: appender.columnCount }, (_, place) => appender.columnType(place));
  for (const [index, columns] of chunks.entries()) {
    const chunk = duckdb.DuckDBDataChunk.create(types, columns[0]?.length ?? 0);
    for (const [place, values] of columns.entries()) {
      chunk.setColumnValues(place, values);
      yield;
    }
    appender.appendDataChunk(chunk);
    if (index % chunksOfFlush === chunksOfFlush - 1) appender.flushSync();
    yield;
  }
}
