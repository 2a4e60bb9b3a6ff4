/**
 * Makes a text that sorts like a semi-structured value, from the canonical form of the value's JSON. The first
 * character indicates the type, in the order of types of `WAREHOUSE_TWO`.
 */
export function orderKeyText(json: string): string {
  const [first] = json;
  if (first === 't' || first === 'f') return json === 'true' ? '1t' : '1f';
  if (first === '"') return `3${String(JSON.parse(json))}`;
  if (first === '[') throw undefinedOrder('lists');
  if (first === '{') throw undefinedOrder('objects');
  if (first === 'n') throw undefinedOrder('a JSON null');
  return `2${numberKey(json)}`;
}

export function undefinedOrder(what: string): Error {
  return new Error(`Millrace does not support ordering ${what} in semi-structured values`);
}

/** Larger than all powers of ten of a number. */
const BIAS = 50_000_000;

/**
 * The sign, the power of ten and the digits, so that the order of the texts is the order of the numbers. Of a negative number, the
 * power of ten and the digits are inverted (9 minus each digit), because a larger amount is a smaller number.
 */
function numberKey(json: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(json) ?? [];
  const written = `${whole}${fraction}`;
  const digits = written.replace(/^0+/, '').replace(/0+$/, '');
  if (digits === '') return '1';
  const zeros = written.length - written.replace(/^0+/, '').length;
  const exponent = whole.length - zeros + Number(power);
  if (sign === '') return `2${String(BIAS + exponent).padStart(8, '0')}${digits}`;
  const complement = digits.replaceAll(/\d/g, (digit) => String(9 - Number(digit)));
  // A number with more digits is smaller: ":" comes after all digits.
  return `0${String(BIAS - exponent).padStart(8, '0')}${complement}:`;
}
