import { type Decimal, parseDecimal } from '../../lib/core/values/decimal.ts';

/**
 * A number as parameters have it: `10`, `-1.50` or `1e3`, with blanks around it. Undefined for any other text, also for an
 * empty one and for other forms of JavaScript, such as `0x10`.
 */
export function parseWritten(text: string): Decimal | undefined {
  return parseDecimal(withoutBlanks(text));
}

/** A number in the form of `parseWritten`, as a number of JavaScript; NaN for any other text. */
export function parseNumber(text: string): number {
  return parseWritten(text) === undefined ? Number.NaN : Number(text);
}

/**
 * Removes ASCII blanks around a text. Other spaces, such as a no-break space, stay, because they are not allowed in
 * numbers although JavaScript accepts them.
 */
export function withoutBlanks(text: string): string {
  return text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}
