import { type Place, Refusal } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import type { Scope } from '../expressions/evaluate.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import { readExpression } from '../expressions/expression.ts';
import { limits } from '../expressions/limits.ts';
import { findExpressionEnd } from '../expressions/tokenize.ts';
import { ParameterError } from './parameter-error.ts';

/** A part of the resolved text: copied from the original at `from`, or the value of the expression at `from`. */
interface Part {
  readonly start: number;
  readonly from: number;
  readonly isCopied: boolean;
}

/**
 * Replaces each `${…}` in a text by the value of its expression. The inserted values are not searched for further
 * expressions. A `${` without a closing `}` stays as it is. Throws ParameterError, and Refusal for something that
 * expressions do not support, such as using a grid as a text.
 */
export function resolveText(original: SourceText, scope: Scope): SourceText {
  const { text } = original;
  if (!text.includes('${')) return original;
  const parts: Part[] = [];
  let resolved = '';
  let copied = 0;
  for (let begin = text.indexOf('${'); begin >= 0; begin = text.indexOf('${', copied)) {
    const end = withPlace(original, 0, () => findExpressionEnd(text, begin + 2));
    if (end === undefined) break;
    parts.push({ start: resolved.length, from: copied, isCopied: true });
    resolved += text.slice(copied, begin);
    const value = withPlace(original, begin + 2, () => valueOf(text.slice(begin + 2, end), scope));
    parts.push({ start: resolved.length, from: begin, isCopied: false });
    resolved += value;
    copied = end + 1;
    if (resolved.length > limits.text) {
      throw new ParameterError(
        `the text has more than ${limits.text} characters, which is the limit, after its variables were replaced`,
        original.placeOf(begin),
      );
    }
  }
  parts.push({ start: resolved.length, from: copied, isCopied: true });
  return { text: resolved + text.slice(copied), placeOf: (offset) => placeIn(original, parts, offset) };
}

function valueOf(expression: string, scope: Scope): string {
  const read = readExpression(expression);
  const text = read.name === undefined ? undefined : scope.text?.(read.name);
  return text ?? read.toText(scope);
}

/**
 * Calls `work`. If it throws an error about an expression, adds the position in the file. `base` is added to the
 * offset of the error.
 */
export function withPlace<Result>(text: SourceText, base: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const place = text.placeOf(base + error.offset);
    if (error.kind === 'failed') throw new ParameterError(error.message, place);
    throw new Refusal(
      error.message.replace(/^Millrace does not support (?:this in an expression: )?/, ''),
      place,
    );
  }
}

function placeIn(original: SourceText, parts: readonly Part[], offset: number): Place {
  const part = parts.findLast(({ start }) => start <= offset);
  if (part === undefined) return original.placeOf(offset);
  return original.placeOf(part.isCopied ? part.from + offset - part.start : part.from);
}
