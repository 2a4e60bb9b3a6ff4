import type { SQLInputValue } from 'node:sqlite';

/** What was read since the last write. Nobody else writes: the database is locked for this process alone. */
export interface ReadCache {
  /** Answers what the same question was answered before, or asks. Rows are shared: whoever reads does not change them. */
  rows(sql: string, values: readonly SQLInputValue[], ask: () => unknown[]): unknown[];
  forget(): void;
}

/** Questions kept; then all are forgotten, as most of those that clients repeat come again at once. */
const maxQuestions = 500;
/** Longer answers are read anew: they cost memory, and are not what clients ask for over and over. */
const maxRows = 100;

export function createReadCache(): ReadCache {
  let known = new Map<string, Map<Key, unknown[]>>();
  let questions = 0;
  const forget = () => {
    if (questions === 0) return;
    known = new Map();
    questions = 0;
  };
  return {
    rows(sql, values, ask) {
      const key = keyOf(values);
      if (key === undefined) return ask();
      const before = known.get(sql)?.get(key);
      if (before !== undefined) return before;
      const rows = ask();
      if (rows.length > maxRows) return rows;
      if (questions >= maxQuestions) forget();
      const answers = known.get(sql) ?? new Map<Key, unknown[]>();
      known.set(sql, answers.set(key, rows));
      questions += 1;
      return rows;
    },
    forget,
  };
}

type Key = string | number | null;

/**
 * Text and number of the same look are different values. Nothing where a value is neither. One value, the usual case,
 * is its own key: a statement is always asked with the same number of them, so that it cannot be taken for a longer one.
 */
function keyOf(values: readonly SQLInputValue[]): Key | undefined {
  const [only = null] = values;
  if (values.length === 1 && (typeof only === 'string' || typeof only === 'number' || only === null))
    return only;
  let key = '';
  for (const value of values) {
    if (value === null) key += 'n;';
    else if (typeof value === 'number') key += `${String(value)};`;
    else if (typeof value === 'string') key += `"${String(value.length)}:${value};`;
    else return undefined;
  }
  return key;
}
