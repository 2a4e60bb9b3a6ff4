import { Refusal, SqlError } from '../core/refusal.ts';
import { sourceText } from '../core/source-text.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import { type Token, tokenize } from '../dialect/parse/tokenize.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import { findExpressionEnd } from '../expressions/tokenize.ts';

/** A token of SQL as it is written in a file. Offsets count UTF-16 code units of the text. */
export interface WrittenToken extends Omit<Token, 'raw' | 'value'> {
  /** The token as it is in the file, including any `${…}`. */
  readonly raw: string;
  /** The value. The value of a word is in upper case. */
  readonly value: string;
  /** Whether the token contains a `${…}`, whose value is unknown. */
  readonly hasVariable: boolean;
}

/**
 * Splits SQL whose variables are not yet replaced into tokens, without the token that marks the end. A `${…}` is a
 * separate word, or a part of the word next to it. Undefined for a text that the engine cannot split.
 */
export function writtenTokens(text: string, kind: WarehouseKind): readonly WrittenToken[] | undefined {
  try {
    const { masked, spans } = maskVariables(text);
    return tokenize(sourceText(masked, ''), kind)
      .filter((token) => token.kind !== 'end')
      .map((token) => ({
        ...token,
        raw: text.slice(token.start, token.end),
        hasVariable: spans.some(({ start, end }) => start < token.end && token.start < end),
      }));
  } catch (error) {
    if (error instanceof Refusal || error instanceof SqlError || error instanceof ExpressionError)
      return undefined;
    throw error;
  }
}

/** The text with as many letters in place of each `${…}`, or digits if it continues a number. */
function maskVariables(text: string) {
  const spans: { readonly start: number; readonly end: number }[] = [];
  let masked = '';
  for (let begin = text.indexOf('${'); begin >= 0; begin = text.indexOf('${', masked.length)) {
    const last = findExpressionEnd(text, begin + 2);
    if (last === undefined) break;
    masked += text.slice(masked.length, begin);
    const letter = /(?:^|[^\p{L}\p{N}_$])\d+$/u.test(masked.slice(-40)) ? '0' : '_';
    spans.push({ start: begin, end: last + 1 });
    masked += letter.repeat(last + 1 - begin);
  }
  return { masked: masked + text.slice(masked.length), spans };
}
