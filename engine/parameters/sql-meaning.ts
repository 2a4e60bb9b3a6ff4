import { Refusal, SqlError } from '../core/refusal.ts';
import { sourceText } from '../core/source-text.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import { type Token, tokenize } from '../dialect/parse/tokenize.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import { findExpressionEnd } from '../expressions/tokenize.ts';

/** Replaces `${…}`: a part of a word, so that what it touches stays one token. A text that has it is compared as it is. */
const placeholder = 'MILLRACE_VALUE_';

/** Comments that some programs obey: hints, and SQL for one version. */
const obeyed = /\/\*[+!]|--\+|\/\/\+/;

/**
 * A canonical form of SQL for comparisons. Two texts have the same form if they differ only in blanks, comments, or
 * the case of words without quotes. Texts, quoted names, and comments with a hint or a variable stay as they are. A
 * text that the engine cannot split into tokens also stays as it is.
 */
export function sqlMeaning(written: string, kind: WarehouseKind): string {
  try {
    if (written.includes(placeholder)) return exactly(written);
    const { text, values } = withoutValues(written);
    return JSON.stringify([partsOf(text, tokenize(sourceText(text, ''), kind)), values]);
  } catch (error) {
    if (error instanceof Refusal || error instanceof SqlError || error instanceof ExpressionError)
      return exactly(written);
    throw error;
  }
}

/** Unlike a meaning, which begins with a bracket. */
function exactly(written: string): string {
  return `=${written}`;
}

/** The text with a placeholder for each `${…}`, and what is written there. */
function withoutValues(written: string): { readonly text: string; readonly values: readonly string[] } {
  const values: string[] = [];
  let text = '';
  let copied = 0;
  for (let begin = written.indexOf('${'); begin >= 0; begin = written.indexOf('${', copied)) {
    const end = findExpressionEnd(written, begin + 2);
    if (end === undefined) break;
    text += `${written.slice(copied, begin)}${placeholder}`;
    values.push(written.slice(begin, end));
    copied = end + 1;
  }
  return { text: text + written.slice(copied), values };
}

/** The tokens, and between them what counts of blanks and comments: no token begins with a space. */
function partsOf(text: string, tokens: readonly Token[]): readonly string[] {
  const isInPath = pathReader();
  const parts: string[] = [];
  let isValueInLine = false;
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const gap = text.slice(before?.end ?? 0, token.start);
    const isLineEnd = gap.includes('\n');
    if (obeyed.test(gap) || gap.includes(placeholder) || isAddress(before, gap)) parts.push(` ${gap.trim()}`);
    // A value may end with a comment, which ends with the line.
    else if (isLineEnd && isValueInLine) parts.push(' line');
    // Texts on lines one after the other are one text; a letter before a text is a part of it.
    else if (isLiteral(token) && isLiteral(before) && isLineEnd) parts.push(' line');
    else if (gap === '' && (isLiteral(token) || isLiteral(before)) && isJoined(token, before))
      parts.push(' joined');
    const isValue = token.raw.includes(placeholder) && !isLiteral(token);
    isValueInLine = isValue || (isValueInLine && !isLineEnd);
    const isPath = isInPath(token);
    parts.push(token.kind === 'word' && !isValue && !isPath ? token.value : token.raw);
  }
  return parts;
}

function isLiteral(token: Token | undefined): boolean {
  return token?.kind === 'text' || token?.kind === 'quoted';
}

function isJoined(token: Token, before: Token | undefined): boolean {
  return (
    before !== undefined && token.kind !== 'operator' && before.kind !== 'operator' && token.kind !== 'end'
  );
}

/** Whether `//` may belong to an address such as `file:///data`, and not begin a comment. */
function isAddress(before: Token | undefined, gap: string): boolean {
  return before?.raw === ':' && gap.startsWith('//');
}

/** Tells of each token, in their order, whether it is a name in a path into semi-structured data, such as `data:Name`: case counts there. */
function pathReader(): (token: Token) => boolean {
  let isPath = false;
  let depth = 0;
  let last = '';
  return ({ kind, raw }) => {
    const isName = kind === 'word' && (last === ':' || (isPath && depth === 0 && last === '.'));
    if (raw === '[') depth += 1;
    if (raw === ']') depth = Math.max(0, depth - 1);
    if (raw === ':' || raw === ']') isPath = true;
    else if (depth === 0 && !isName && raw !== '.' && raw !== '[') isPath = false;
    last = raw;
    return isName;
  };
}
