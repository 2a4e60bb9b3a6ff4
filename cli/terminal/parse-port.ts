import { InvalidArgumentError } from 'commander';

/** Parses a port number of the command line; 0 means any free port. Throws InvalidArgumentError. */
export function parsePort(text: string): number {
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number <= 65_535) return number;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}
