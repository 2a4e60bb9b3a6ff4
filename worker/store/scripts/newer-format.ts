import { messageOf } from '../../../lib/core/errors/message-of.ts';

/** Thrown if a newer worker has raised the format of the records, so that this worker must not change them. */
export class NewerFormat extends Error {
  /** The format of the records. */
  readonly format: number;

  constructor(format: number) {
    super(`The records in Redis have format ${format}, which this version of the worker does not know.`);
    this.format = format;
  }
}

/** The newer format that a script's error names; undefined for any other error. */
export function newerFormatIn(error: unknown): NewerFormat | undefined {
  const [, format] = /^NEWERFORMAT (\d+)/.exec(messageOf(error)) ?? [];
  return format === undefined ? undefined : new NewerFormat(Number(format));
}

/** The format that a store knows, and a function to call when a script finds a newer one. */
export interface FormatOptions {
  readonly known: number;
  readonly onNewer: (format: number) => void;
}
