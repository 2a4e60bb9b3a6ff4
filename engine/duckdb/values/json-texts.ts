import { REFUSAL } from '../../core/refusal.ts';

/** Thrown for JSON that the warehouse may accept, but with a result that its documentation does not describe. */
export class JsonRefusal extends Error {
  override readonly name = 'JsonRefusal';

  constructor(what: string) {
    super(`${REFUSAL}${what}`);
  }
}

/**
 * The text of a number in JSON. A whole number or a long decimal keeps its digits. Any other number gets the shortest
 * text with the same value.
 */
export function numberText(value: number, source: string): string {
  refuseLong(source);
  if (/^-?\d+$/.test(source)) return BigInt(source).toString();
  if (/^-?\d+\.\d+$/.test(source) && source.replaceAll(/\D/g, '').length > 15)
    return source.replace(/\.?0+$/, '');
  if (!Number.isFinite(value))
    throw new JsonRefusal(
      `the number ${source} in semi-structured data, because it is too large for a FLOAT`,
    );
  const canonical = canonicalNumber(value);
  // As a FLOAT, it has another type and another text than the same exact number.
  if (/e/i.test(source) && !canonical.includes('e'))
    throw new JsonRefusal(
      `the number ${source} in semi-structured data, because a number with an exponent is a FLOAT; write the number with all its digits`,
    );
  return canonical;
}

const MAX_DIGITS = 38;

/**
 * Throws JsonRefusal for a number without an exponent that the warehouse would store as a FLOAT, so that its digits
 * would change.
 */
export function refuseLong(source: string): void {
  if (source.length <= MAX_DIGITS || /e/i.test(source)) return;
  const [whole = '', fraction = ''] = source.split('.');
  const decimals = fraction.replace(/0+$/, '');
  const digits = `${whole}${decimals}`.replace(/^-?0*/, '');
  if (digits.length > MAX_DIGITS || decimals.length >= MAX_DIGITS)
    throw new JsonRefusal(`a number with more than ${MAX_DIGITS} digits in semi-structured data`);
}

/** A number as JSON, in the same form as DuckDB writes it. */
export function canonicalNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  return Number.isFinite(value) ? String(value).replace('e+', 'e') : 'null';
}

/** A text as JSON, in the same form as DuckDB writes it. */
export function canonicalText(text: string): string {
  const written = JSON.stringify(text);
  if (!written.includes('\\u00')) return written;
  return written.replaceAll(/\\u00[01][a-f]/g, (code) => `\\u${code.slice(2).toUpperCase()}`);
}
