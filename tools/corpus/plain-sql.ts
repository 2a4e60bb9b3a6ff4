/** A text, a quoted name, a body between `$$`, `${…}`, a word, a number, or one other sign. Blanks and comments are left out. */
const token =
  /(?<skipped>\s+|--[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<exact>'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"]|"")*"|\$\$[\s\S]*?\$\$|\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<other>\d[\w.]*|[\s\S])/gu;
/** Hints, which a warehouse obeys, and comments in which a variable may end the comment. */
const heard = /^(?:\/\*[+!]|--\+)|\$\{/;

/**
 * What is written in SQL: its tokens, without blanks and comments, and words in upper case. What touches a text or `${…}` is one token
 * with it. A path such as `data:Name` keeps its case.
 */
export function plainSql(sql: string): readonly string[] {
  const tokens: string[] = [];
  let isPath = false;
  let end = -1;
  for (const { 0: text, index, groups } of sql.matchAll(token)) {
    const { skipped, exact, word } = groups ?? {};
    if (skipped !== undefined && !heard.test(text)) continue;
    const last = tokens.at(-1) ?? '';
    const isBehindPath: boolean = last === ':' || (isPath && last === '.');
    if (word !== undefined) isPath = isBehindPath;
    else if (text !== '.' && text !== ']') isPath = false;
    const written = word === undefined || isBehindPath ? text : text.toUpperCase();
    const touches = end === index && /['"}$\p{L}\p{N}_]$/u.test(last) && (exact ?? word) !== undefined;
    if (touches) tokens[tokens.length - 1] = `${last}${exact === undefined ? text : written}`;
    else tokens.push(written);
    end = index + text.length;
  }
  return tokens;
}

/** The words of a text in lower case, each as often as it is there. */
export function wordsIn(text: string): readonly string[] {
  return Array.from(text.toLowerCase().matchAll(/[\p{L}\p{N}_$]+/gu), ([word]) => word);
}
