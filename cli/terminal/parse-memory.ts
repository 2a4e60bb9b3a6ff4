import { InvalidArgumentError } from 'commander';

/** Parses an amount of memory of the command line, `500MB` or `2GB`: from 200MB to 999GB. Throws InvalidArgumentError. */
export function parseMemory(text: string): string {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,5})\s*(MB|GB)$/i.exec(text) ?? [];
  const size = Number(digits) * (unit.toUpperCase() === 'GB' ? 1000 : 1);
  if (digits !== '' && size >= 200 && size <= 999_000) return `${digits}${unit.toUpperCase()}`;
  throw new InvalidArgumentError('It must be an amount of memory from 200MB to 999GB, such as 500MB or 2GB.');
}
