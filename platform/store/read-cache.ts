import type { SQLInputValue } from 'node:sqlite';

/** Caches reads until the next write. No other process writes, because this process holds the lock on the database. */
export interface ReadCache {
  /** Returns the cached result of a query, or runs it. Rows are shared, so callers must not change them. */
  rows(sql: string, values: readonly SQLInputValue[], ask: () => unknown[]): unknown[];
  forget(): void;
}

/**
 * Maximum number of cached queries. At the limit all are dropped, because repeated queries refill the cache at once.
 */
const maxQuestions = 500;
/** Longer results are not cached: they need memory, and clients rarely repeat them. */
const maxRows = 100;

export function createReadCache(): ReadCache {
  let results = new Map<string, Map<Key, unknown[]>>();
  let questions = 0;
  const forget = () => {
    if (questions === 0) return;
    results = new Map();
    questions = 0;
  };
  return {
    rows(sql, values, ask) {
      const key = keyOf(values);
      if (key === undefined) return ask();
      const before = results.get(sql)?.get(key);
      if (before !== undefined) return before;
      const rows = ask();
      if (rows.length > maxRows) return rows;
      if (questions >= maxQuestions) forget();
      const answers = results.get(sql) ?? new Map<Key, unknown[]>();
      results.set(sql, answers.set(key, rows));
      questions += 1;
      return rows;
    },
    forget,
  };
}

type Key = string | number | null;

/**
 * The key of the values of a statement; undefined if a value is not a text, a number or null. A text and a number with the
 * same digits have different keys. A single value, the usual case, is its own key: a statement always has the same number
 * of values, so the key cannot be confused with the key of several values.
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
