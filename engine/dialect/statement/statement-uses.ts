import type { TableName } from '../../core/relation.ts';
import { Refusal, SqlError } from '../../core/refusal.ts';
import type { Cursor } from '../parse/cursor.ts';
import type { Token } from '../parse/tokenize.ts';
import { fullName } from '../write/query/from.ts';
import { NO_NAMES, type Session } from '../write/sql/writing.ts';
import { type NamedInClauses, tablesRead } from './tables-read.ts';

/** A table that a statement changes, and how, as far as the text of the statement shows. */
export interface StatementTarget {
  readonly table: TableName;
  readonly effect: 'define' | 'alter' | 'insert' | 'change' | 'drop';
  /** Whether CREATE OR REPLACE replaces an existing table or view by a new one. Default: false. */
  readonly isReplaced?: boolean;
}

/**
 * The other tables that a statement may write. `none`: there are none. `named`: any table that the statement names.
 * `any`: any table at all, because the statement runs other SQL and names no table.
 */
export type OtherWrites = 'none' | 'named' | 'any';

/**
 * What a statement does with tables, as far as its text shows. The statement need not be one that can be translated.
 */
export interface StatementUses {
  readonly targets: readonly StatementTarget[];
  /**
   * The tables after FROM, JOIN and USING, and the tables that CREATE copies. Common table expressions are not
   * included.
   */
  readonly reads: readonly TableName[];
  readonly others: OtherWrites;
}

const VERBS: ReadonlyMap<string, StatementTarget['effect']> = new Map([
  ['CREATE', 'define'],
  ['ALTER', 'alter'],
  ['UNDROP', 'define'],
  ['DROP', 'drop'],
  ['INSERT', 'insert'],
  ['MERGE', 'change'],
  ['COPY', 'insert'],
  ['UPDATE', 'change'],
  ['DELETE', 'change'],
  ['TRUNCATE', 'change'],
]);
/** Verbs that need a word for the kind of object. */
const OF_OBJECTS: ReadonlySet<string> = new Set(['define', 'alter', 'drop']);
const OBJECTS = ['TABLE', 'VIEW'];

/** Words that may stand between the verb and the name. */
const BETWEEN = [
  'TABLE VIEW OR REPLACE OVERWRITE INTO IF NOT EXISTS FROM ONLY',
  'TRANSIENT TEMPORARY TEMP VOLATILE LOCAL GLOBAL',
  'SECURE RECURSIVE MATERIALIZED EXTERNAL DYNAMIC HYBRID ICEBERG',
].flatMap((words) => words.split(' '));

/** First words of statements that change no rows of tables. */
const HARMLESS = [
  'SELECT WITH VALUES SHOW DESCRIBE DESC EXPLAIN LIST LS PUT GET REMOVE RM UNLOAD',
  'GRANT REVOKE USE SET UNSET RESET COMMENT COMMIT ROLLBACK ABORT START ANALYZE VACUUM END LOCK',
].flatMap((words) => words.split(' '));
/** Objects without SQL of their own, after CREATE, ALTER, DROP or UNDROP and words such as OR REPLACE. */
const PLAIN_OBJECTS = [
  'SCHEMA DATABASE WAREHOUSE ROLE USER SEQUENCE STAGE FILE TAG STREAM SHARE SECRET NETWORK RESOURCE INTEGRATION',
  'STORAGE NOTIFICATION GROUP MASKING ROW ACCOUNT SESSION FUNCTION AGGREGATE',
].flatMap((words) => words.split(' '));

/**
 * Finds out what a statement does with tables, even if it cannot be translated.
 * @param cursor a cursor at the first token of `tokens`
 */
export function statementUses(cursor: Cursor, tokens: readonly Token[], session: Session): StatementUses {
  /** The tables that the rest of the tokens names. */
  const rest = (isCreate = false) => {
    const { at } = cursor;
    return tablesRead(
      tokens.filter(({ start }) => start >= at),
      session,
      isCreate,
    );
  };
  const tables = (read: () => readonly TableName[]): readonly TableName[] => {
    try {
      return read();
    } catch (error) {
      if (error instanceof Refusal || error instanceof SqlError) return [];
      throw error;
    }
  };
  const name = () =>
    tables(() => {
      const parts = cursor.names();
      return parts.length > 3 ? [] : [fullName(parts, { session, names: NO_NAMES, commonTables: new Map() })];
    });
  const first = cursor.peek();
  if (first.kind !== 'word' || HARMLESS.includes(first.value))
    // REVOKE has FROM before a role or user.
    return { targets: [], reads: first.value === 'REVOKE' ? [] : rest().reads, others: 'none' };
  const effect = VERBS.get(first.value);
  if (effect === undefined) {
    const { reads } = rest();
    return { targets: [], reads, others: othersOf(cursor) };
  }
  cursor.next();
  const words: string[] = [];
  for (;;) {
    const word = isBeforeName(cursor) ? BETWEEN.find((each) => cursor.takeWord(each)) : undefined;
    if (word === undefined) break;
    words.push(word);
  }
  if (OF_OBJECTS.has(effect) && !words.some((word) => OBJECTS.includes(word))) {
    const isPlain = effect === 'drop' || PLAIN_OBJECTS.some((object) => cursor.isWord(object));
    const reads = isPlain ? [] : rest().reads;
    // Without AS, ALTER changes the options of an object, and not its SQL.
    return {
      targets: [],
      reads,
      others: isPlain || (effect === 'alter' && !hasAs(cursor)) ? 'none' : 'named',
    };
  }
  if (
    effect === 'insert' &&
    !words.includes('INTO') &&
    (cursor.isWord('ALL') || cursor.isWord('FIRST') || cursor.isWord('WHEN'))
  )
    return insertsIntoMany(rest());
  // An export to files.
  if (first.value === 'COPY' && cursor.peek().kind !== 'word' && cursor.peek().kind !== 'quoted')
    return { targets: [], reads: rest().reads, others: 'none' };
  const isReplaced = effect === 'define' && words.includes('REPLACE');
  const targets: StatementTarget[] = name().map((table) => ({ table, effect, isReplaced }));
  if (effect === 'alter') {
    // The other table gets the columns of this one.
    const isSwap = cursor.takeWord('SWAP', 'WITH');
    if (isSwap || cursor.takeWord('RENAME', 'TO'))
      targets.push(...name().map((table) => ({ table, effect: 'define' as const })));
  }
  return { targets, reads: rest(effect === 'define').reads, others: targets.length === 0 ? 'named' : 'none' };
}

function hasAs(cursor: Cursor): boolean {
  while (cursor.peek().kind !== 'end' && !cursor.isWord('AS')) cursor.next();
  return cursor.isWord('AS');
}

/** Whether the next word is not the name itself. */
function isBeforeName(cursor: Cursor): boolean {
  const { kind, value } = cursor.peek(1);
  return kind === 'quoted' || (kind === 'word' && !AFTER_NAME.includes(value));
}

/** After BEGIN of a transaction. Other words begin a block of statements. */
const AFTER_BEGIN = ['TRANSACTION', 'WORK', 'NAME', 'ISOLATION', 'READ'];

const AFTER_NAME = ['AS', 'SET', 'WHERE', 'USING', 'VALUES', 'SELECT', 'LIKE', 'CLONE', 'ADD', 'SWAP'];

/** `ALL` or `FIRST`, conditions, and the names after each INTO. */
function insertsIntoMany({ reads, into }: NamedInClauses): StatementUses {
  const targets = into.map((table) => ({ table, effect: 'insert' as const }));
  return { targets, reads, others: targets.length === 0 ? 'named' : 'none' };
}

/** Of a statement that may run others. SQL in a text names what it writes. */
function othersOf(cursor: Cursor): OtherWrites {
  if (cursor.isWord('BEGIN') && (cursor.peek(1).kind === 'end' || AFTER_BEGIN.includes(cursor.peek(1).value)))
    return 'none';
  if (!cursor.isWord('CALL') && !cursor.takeWord('EXECUTE')) return 'named';
  const isText = cursor.takeWord('IMMEDIATE') && cursor.peek().kind === 'text';
  return isText && (cursor.peek(1).kind === 'end' || cursor.peek(1).value === 'USING') ? 'named' : 'any';
}
