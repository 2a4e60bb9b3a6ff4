/** A word or a comma in a statement of DuckDB's SQL that is neither in parentheses nor inside a CASE. */
export interface TopLevelWord {
  /** The word, in upper case. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_][\w$]*|\d[\w.]*|[(),[\]{}]/g;
const opening: ReadonlySet<string> = new Set(['(', '[', '{', 'CASE']);
const closing: ReadonlySet<string> = new Set([')', ']', '}', 'END']);

/**
 * The words and commas of a statement that are not inside parentheses, CASE, texts or quoted names. The statement
 * must be one that the engine wrote.
 */
export function topLevelWords(sql: string): readonly TopLevelWord[] {
  const words: TopLevelWord[] = [];
  let depth = 0;
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    const word = token.toUpperCase();
    if (closing.has(word)) depth -= 1;
    else if (opening.has(word)) depth += 1;
    else if (depth === 0 && /^[A-Z_,]/.test(word))
      words.push({ word, start: index, end: index + token.length });
  }
  return words;
}

/** Splits a text of SQL at its top-level commas. */
export function splitAtCommas(text: string): readonly string[] {
  const commas = topLevelWords(text).filter(({ word }) => word === ',');
  const starts = [0, ...commas.map(({ end }) => end)];
  return starts.map((start, index) => text.slice(start, commas[index]?.start ?? text.length).trim());
}

/** Replaces a quoted name in SQL, also where it is a part of a longer name. Texts in single quotes do not change. */
export function replaceName(sql: string, name: string, by: string): string {
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"(?:\."(?:[^"]|"")*")*/g, (token) => {
    if (token !== name && !token.startsWith(`${name}.`)) return token;
    return `${by}${token.slice(name.length)}`;
  });
}
