const units: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** The number of bytes of a size that DuckDB wrote, such as `500MB` or `2GB`. */
export function byteCount(size: string): number {
  const [, digits = '', unit = ''] = /^(\d+) ?([KMGT]B)$/.exec(size) ?? [];
  const factor = units[unit];
  if (factor === undefined) throw new Error(`"${size}" is not a size such as 500MB or 2GB`);
  return Number(digits) * factor;
}
