/**
 * Whether a number as written (in JSON or YAML) is exactly the number that JavaScript makes of it. `9007199254740993` is
 * not, and neither is a fraction with more than about 15 digits. A hexadecimal or octal number is, up to 2^53.
 */
export function isExactNumber(written: string): boolean {
  const value = Number(written);
  if (/^0[xo]/.test(written)) return Number.isSafeInteger(value);
  // `.inf` and `.nan` of YAML.
  if (!/\d/.test(written)) return true;
  if (!Number.isFinite(value)) return false;
  return digitsOf(written) === digitsOf(String(value));
}

/** The digits without zeros at either end, and the place of the first one: the same for `1.50`, `15e-1` and `01.5`. */
function digitsOf(number: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^[+-]?(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`;
  const zeros = digits.length - digits.replace(/^0+/, '').length;
  const significant = digits.slice(zeros).replace(/0+$/, '');
  return significant === '' ? '0' : `${significant}@${whole.length - zeros + Number(exponent)}`;
}

/**
 * `JSON.parse`, but for numbers that would lose digits. Throws SyntaxError for text that is not JSON, and RangeError with
 * the number as written for one that JavaScript cannot keep.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value === 'number' && context?.source !== undefined && !isExactNumber(context.source))
      throw new RangeError(
        `The number ${context.source} has more digits than can be kept exactly, which are about 15`,
      );
    return value;
  });
}
