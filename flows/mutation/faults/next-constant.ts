const day = /^(\d{4})-(\d{2})-(\d{2})((?:[ T].*)?)$/;

/**
 * A constant just beside another one: the number plus one in its last digit, the next day, or the text with one
 * more letter. Undefined for a number with an exponent, and for a text without letters or digits, which may be a
 * separator.
 */
export function nextConstant(text: string): string | undefined {
  const date = day.exec(text);
  if (date !== null) {
    const [, year, month, dayOfMonth, time = ''] = date;
    const next = new Date(Date.UTC(Number(year), Number(month) - 1, Number(dayOfMonth) + 1));
    return Number.isNaN(next.getTime()) ? undefined : `${next.toISOString().slice(0, 10)}${time}`;
  }
  const number = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(text);
  if (number !== null) return nextNumber(number[1] ?? '', number[2] ?? '', number[3]);
  if (/^\d/.test(text) && /^[\d.]+e[+-]?\d+$/i.test(text)) return undefined;
  // An escape at the end would mean something else with one more letter.
  return /[\p{L}\p{N}]/u.test(text) ? `${text}X` : undefined;
}

function nextNumber(sign: string, whole: string, decimals: string | undefined): string {
  const digits = `${whole}${decimals ?? ''}`;
  const value = BigInt(`${sign === '-' ? '-' : ''}${digits}`) + 1n;
  const written = (value < 0n ? -value : value).toString().padStart(digits.length, '0');
  const split = written.length - (decimals?.length ?? 0);
  const point = decimals === undefined || decimals === '' ? '' : `.${written.slice(split)}`;
  return `${value < 0n ? '-' : ''}${written.slice(0, split)}${point}`;
}
