import { type Decimal, parseDecimal } from '../../lib/core/values/decimal.ts';

/**
 * Reads a number in a form that parameters allow: `10`, `-1.50` or `1e3`, with or without blanks around it. Undefined
 * for any other text, including an empty text and other forms of JavaScript, such as `0x10`.
 */
export function parseWritten(text: string): Decimal | undefined {
  return parseDecimal(withoutBlanks(text));
}

/** Like `parseWritten`, but returns a JavaScript number, and NaN for any other text. */
export function parseNumber(text: string): number {
  return parseWritten(text) === undefined ? Number.NaN : Number(text);
}

/**
 * Removes the ASCII blanks around a text. Other kinds of spaces, such as a no-break space, stay: JavaScript would
 * accept them around a number, but the warehouse does not.
 */
export function withoutBlanks(text: string): string {
  return text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}
