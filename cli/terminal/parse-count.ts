import { InvalidArgumentError } from 'commander';

/** Parses a number from 1 to 999999 of the command line. Throws InvalidArgumentError. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 to 999999.');
}
