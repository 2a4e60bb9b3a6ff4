import { shorten } from '../text/shorten.ts';
import { parseDecimal } from './decimal.ts';

/**
 * Whether JavaScript can represent exactly the number that is written (in JSON or YAML). It cannot represent
 * `9007199254740993`, nor a fraction with more than about 15 digits. Hexadecimal and octal numbers are exact up to
 * 2^53.
 */
export function isExactNumber(written: string): boolean {
  const value = Number(written);
  if (/^0[xo]/.test(written)) return Number.isSafeInteger(value);
  // `.inf` and `.nan` of YAML.
  if (!/\d/.test(written)) return true;
  // No double has more digits, and a number of a megabyte takes long to parse.
  if (written.length > 1100) return false;
  const [exact, kept] = [parseDecimal(written), parseDecimal(String(value))];
  return exact !== undefined && exact.units === kept?.units && exact.scale === kept.scale;
}

const maxShown = 40;

/** The sentence, without its end, that says that a number is not exact. */
export function describeInexact(written: string): string {
  return `The number ${shorten(written, maxShown)} has too many digits: it would be read as ${String(Number(written))}`;
}

/**
 * Like `JSON.parse`, but refuses numbers that would lose digits. Throws SyntaxError for text that is not JSON, and
 * RangeError, with the number as written, for such a number.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value === 'number' && context?.source !== undefined && !isExactNumber(context.source))
      throw new RangeError(describeInexact(context.source));
    return value;
  });
}
