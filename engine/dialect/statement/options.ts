import type { Column } from '../../core/relation.ts';
import type { Cursor } from '../parse/cursor.ts';
import type { Expression, Name } from '../parse/tree.ts';
import { has } from '../write/query/correlation.ts';
import { sqlError, type Writing } from '../write/sql/writing.ts';
import { expectColumn } from './statement.ts';

/** The options of a table that have no effect on a single machine, but name columns that must exist. */
export interface TableOptions {
  readonly clusters: Expression[];
  /** The columns that DISTKEY and SORTKEY name. */
  readonly distKeys: Name[];
  readonly sortKeys: Name[];
  style: { readonly word: string; readonly at: number } | undefined;
}

/**
 * Parses the options that have no effect on a single machine. Leaves any other option to the caller, which refuses
 * it.
 */
export function readTableOptions(cursor: Cursor): TableOptions {
  const options: TableOptions = { clusters: [], distKeys: [], sortKeys: [], style: undefined };
  const read = cursor.warehouse === 'WAREHOUSE_ONE' ? readOne : readTwo;
  const seen = new Set<string>();
  for (;;) {
    const { at } = cursor;
    const option = read(cursor, options);
    if (option === undefined) return options;
    if (seen.has(option)) throw cursor.wrong(`the option ${option} is given twice`, at);
    seen.add(option);
  }
}

/** Skips the options of a view that come before its query. */
export function skipViewOptions(cursor: Cursor): void {
  while (cursor.warehouse === 'WAREHOUSE_ONE' && readPlainOne(cursor) !== undefined);
}

function readOne(cursor: Cursor, options: TableOptions): string | undefined {
  if (!cursor.takeWord('CLUSTER', 'BY')) return readPlainOne(cursor);
  cursor.takeWord('LINEAR');
  options.clusters.push(...cursor.inParentheses(() => cursor.list(() => cursor.expression())));
  return 'CLUSTER BY';
}

function readPlainOne(cursor: Cursor): string | undefined {
  if (cursor.takeWord('COPY', 'GRANTS')) return 'COPY GRANTS';
  const word = cursor.takeOneOf(
    'COMMENT',
    'DATA_RETENTION_TIME_IN_DAYS',
    'CHANGE_TRACKING',
    'MAX_DATA_EXTENSION_TIME_IN_DAYS',
  );
  if (word === undefined) return undefined;
  if (cursor.peek().kind === 'text') throw cursor.refusal(`${word} without =`, cursor.at, `write ${word} =`);
  cursor.expectOperator('=');
  cursor.next();
  return word;
}

const STYLES = ['AUTO', 'EVEN', 'KEY', 'ALL'] as const;

function readTwo(cursor: Cursor, options: TableOptions): string | undefined {
  const { at } = cursor;
  if (cursor.takeWord('DISTSTYLE')) {
    options.style = { word: oneOf(cursor, STYLES), at };
    return 'DISTSTYLE';
  }
  if (cursor.takeWord('ENCODE')) {
    oneOf(cursor, ['AUTO']);
    return 'ENCODE';
  }
  if (cursor.takeWord('BACKUP')) {
    oneOf(cursor, ['YES', 'NO']);
    return 'BACKUP';
  }
  if (cursor.takeWord('DISTKEY')) {
    options.distKeys.push(cursor.inParentheses(() => cursor.name()));
    return 'DISTKEY';
  }
  if (cursor.takeWord('SORTKEY', 'AUTO')) return 'SORTKEY';
  const kind = cursor.takeOneOf('COMPOUND', 'INTERLEAVED');
  if (kind === undefined && !cursor.isWord('SORTKEY')) return undefined;
  cursor.expectWord('SORTKEY');
  options.sortKeys.push(...cursor.inParentheses(() => cursor.list(() => cursor.name())));
  return 'SORTKEY';
}

/** The encodings of a column of `WAREHOUSE_TWO`. */
const ENCODINGS =
  `RAW AZ64 BYTEDICT DELTA DELTA32K LZO MOSTLY8 MOSTLY16 MOSTLY32 RUNLENGTH TEXT255 TEXT32K ZSTD AUTO`.split(
    ' ',
  );

export function readEncoding(cursor: Cursor): void {
  oneOf(cursor, ENCODINGS);
}

function oneOf(cursor: Cursor, words: readonly string[]): string {
  const word = cursor.takeOneOf(...words);
  if (word !== undefined) return word;
  throw cursor.unexpected(words.length === 1 ? words.join('') : `one of ${words.join(', ')}`);
}

/**
 * Throws SqlError if an option names a column that the table does not have, or if two options contradict each other.
 */
export function checkTableOptions(
  { clusters, distKeys, sortKeys, style }: TableOptions,
  columns: readonly Column[],
  columnDistKeys: readonly Name[],
  writing: Writing,
): void {
  const expect = (name: Name) => expectColumn(name, columns, writing);
  for (const cluster of clusters)
    has(cluster, ({ kind, parts }) => {
      if (kind !== 'column' || !Array.isArray(parts)) return false;
      const [name, ...more] = parts as readonly Name[];
      if (name && more.length === 0) expect(name);
      return false;
    });
  for (const name of [...distKeys, ...sortKeys]) expect(name);
  const [first, second] = [...columnDistKeys, ...distKeys];
  if (second) throw sqlError('a table can have only one DISTKEY', second.at, writing);
  if (first && expect(first).type.name === 'VARIANT')
    throw sqlError('a column of SUPER cannot be the DISTKEY', first.at, writing);
  if (style?.word === 'KEY' && first === undefined)
    throw sqlError('DISTSTYLE KEY needs a DISTKEY', style.at, writing);
  if (style !== undefined && style.word !== 'KEY' && first !== undefined)
    throw sqlError(
      `DISTSTYLE ${style.word} and DISTKEY cannot be used together: leave one of them out`,
      style.at,
      writing,
    );
}
