import { InvalidArgumentError } from 'commander';

/** A number from 1 on the command line. */
export function count(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1.');
}
