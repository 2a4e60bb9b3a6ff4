/** A newer worker has raised the format of the records: they are left to it. */
export class NewerFormat extends Error {
  /** The format of the records. */
  readonly format: number;

  constructor(format: number) {
    super(`The records in Redis have format ${format}, which this version of the worker does not know.`);
    this.format = format;
  }
}

/** What the error of a script says about a newer format; undefined for any other error. */
export function newerFormatIn(error: unknown): NewerFormat | undefined {
  const [, format] = /^NEWERFORMAT (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
  return format === undefined ? undefined : new NewerFormat(Number(format));
}

/** Which format a store knows, and what it calls when a script finds a newer one. */
export interface FormatOptions {
  readonly known: number;
  readonly onNewer: (format: number) => void;
}
