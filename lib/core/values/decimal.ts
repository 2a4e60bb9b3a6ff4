/** An exact number: `units` / 10^`scale`, without trailing zeros. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

const form = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,4}))?$/;

/** Parses `10`, `-1.50`, `.5` and `1e21`; undefined for any other text. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = form.exec(text) ?? [];
  if (whole === '' && decimals === '') return undefined;
  const units = BigInt(`${sign === '-' ? '-' : ''}${whole}${decimals}`);
  return normalize(units, decimals.length - Number(exponent));
}

export function writeDecimal({ units, scale }: Decimal): string {
  return `${units}e${-scale}`;
}

/** The number as text with all digits and without an exponent: `-0.5`, `1000`. */
export function plainDecimal({ units, scale }: Decimal): string {
  if (scale <= 0) return String(units * 10n ** BigInt(-scale));
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const [x = 0n, y = 0n] = [a, b].map((decimal) => decimal.units * 10n ** BigInt(scale - decimal.scale));
  return normalize(x + y, scale);
}

/** Compares two numbers: negative if `a` is less than `b`, 0 if they are equal. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const [x = 0n, y = 0n] = [a, b].map((decimal) => decimal.units * 10n ** BigInt(scale - decimal.scale));
  return Number(x > y) - Number(x < y);
}

/** Whether two numbers differ by at most the tolerance. */
export function isNear(a: Decimal, b: Decimal, tolerance: Decimal): boolean {
  const scale = Math.max(a.scale, b.scale, tolerance.scale);
  const [x, y, limit] = [a, b, tolerance].map(
    (decimal) => decimal.units * 10n ** BigInt(scale - decimal.scale),
  );
  const difference = (x ?? 0n) - (y ?? 0n);
  return (difference < 0n ? -difference : difference) <= (limit ?? 0n);
}

function normalize(units: bigint, scale: number): Decimal {
  if (units === 0n) return { units, scale: 0 };
  let [left, places] = [units, scale];
  while (left % 10n === 0n) {
    left /= 10n;
    places -= 1;
  }
  return { units: left, scale: places };
}
