import type { TableName } from '../../core/relation.ts';
import type { Cursor } from '../parse/cursor.ts';
import { fullName } from '../write/query/from.ts';
import { NO_NAMES, type Session } from '../write/sql/writing.ts';

/** What a statement does with a table, as far as its first words tell. */
export interface StatementTarget {
  readonly table: TableName;
  readonly effect: 'define' | 'alter' | 'insert' | 'change' | 'drop';
}

const VERBS: ReadonlyMap<string, StatementTarget['effect']> = new Map([
  ['CREATE', 'define'],
  ['ALTER', 'alter'],
  ['UNDROP', 'define'],
  ['DROP', 'drop'],
  ['INSERT', 'insert'],
  ['MERGE', 'insert'],
  ['COPY', 'insert'],
  ['UPDATE', 'change'],
  ['DELETE', 'change'],
  ['TRUNCATE', 'change'],
]);

/** What they do, they do only with tables and views. */
const ROWS: ReadonlySet<StatementTarget['effect']> = new Set(['insert', 'change']);

const OBJECTS = ['TABLE', 'VIEW'];

/** Words that may stand between the verb and the name. */
const BETWEEN = [
  'TABLE VIEW OR REPLACE OVERWRITE INTO FROM IF NOT EXISTS',
  'TRANSIENT TEMPORARY TEMP VOLATILE LOCAL GLOBAL',
  'SECURE RECURSIVE MATERIALIZED EXTERNAL DYNAMIC HYBRID ICEBERG',
].flatMap((words) => words.split(' '));

/**
 * The tables and views that a statement creates, alters, drops, loads or changes, also of a statement that cannot be translated. None for a
 * query, and for a statement about something else, such as CREATE STAGE.
 */
export function statementTargets(cursor: Cursor, session: Session): readonly StatementTarget[] {
  const [, effect] = [...VERBS].find(([verb]) => cursor.takeWord(verb)) ?? [];
  if (effect === undefined) return [];
  const words: string[] = [];
  for (;;) {
    const word = BETWEEN.find((each) => cursor.takeWord(each));
    if (word === undefined) break;
    words.push(word);
  }
  if (!ROWS.has(effect) && !words.some((word) => OBJECTS.includes(word))) return [];
  const name = (): readonly TableName[] => {
    const parts = cursor.names();
    return parts.length > 3 ? [] : [fullName(parts, { session, names: NO_NAMES, commonTables: new Map() })];
  };
  const targets = name().map((table) => ({ table, effect }));
  if (effect !== 'alter') return targets;
  // The other table gets the columns of this one.
  const isSwap = cursor.takeWord('SWAP', 'WITH');
  if (!isSwap && !cursor.takeWord('RENAME', 'TO')) return targets;
  return [...targets, ...name().map((table) => ({ table, effect: 'define' as const }))];
}
