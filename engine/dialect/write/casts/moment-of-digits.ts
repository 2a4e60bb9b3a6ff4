/**
 * In `WAREHOUSE_ONE`, a text of digits is a time since the epoch: in seconds, or in smaller units if the number is
 * too large for seconds. Returns this time as a timestamp text.
 */
export function momentOfDigits(text: string): string | undefined {
  if (!/^\d{1,18}$/.test(text)) return undefined;
  const microseconds = microsecondsOf(BigInt(text));
  const date = new Date(Number(microseconds / 1000n));
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return undefined;
  const rest = String(microseconds % 1000n).padStart(3, '0');
  return date.toISOString().replace('T', ' ').replace('Z', rest);
}

/** The number of seconds in a thousand years. A larger number is in smaller units. */
const LIMIT = 31_536_000_000n;

function microsecondsOf(number: bigint): bigint {
  if (number < LIMIT) return number * 1_000_000n;
  if (number < LIMIT * 1000n) return number * 1000n;
  return number < LIMIT * 1_000_000n ? number : number / 1000n;
}

/** Like `momentOfDigits`, but as DuckDB's SQL, for a text of digits that is already a BIGINT. */
export function momentSql(number: string): string {
  const below = (factor: bigint) => `${number} < ${LIMIT * factor}`;
  const microseconds = `CASE WHEN ${below(1n)} THEN ${number} * 1000000 WHEN ${below(1000n)} THEN ${number} * 1000 WHEN ${below(1_000_000n)} THEN ${number} ELSE ${number} // 1000 END`;
  return `make_timestamp(${microseconds})`;
}
