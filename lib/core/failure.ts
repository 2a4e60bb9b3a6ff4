import { type ErrorCode, errorCatalogue } from './error-catalogue.ts';
import type { ExitCode } from './outcome.ts';

/** Where a failure is: a place in a file, or the name of an input, flag or variable. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly input?: string;
}

export interface FailureOptions {
  /** What happened, one sentence, no trailing stack or secret. */
  readonly message: string;
  readonly where?: Place;
  /** What to do about it; the catalogue's mend where none is given. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** Facts for `--json` and logs. */
  readonly details?: Record<string, unknown>;
}

/**
 * An expected failure: a stable code, what happened, where, and what to do. Edges turn it into an annotation,
 * an exit code or an HTTP answer; no user sees its stack.
 */
export class Failure extends Error {
  override readonly name: string = 'Failure';
  readonly code: ErrorCode;
  readonly exitCode: ExitCode;
  readonly where: Place | undefined;
  readonly hint: string;
  readonly details: Record<string, unknown>;

  constructor(code: ErrorCode, options: FailureOptions) {
    super(options.message, options.cause === undefined ? {} : { cause: options.cause });
    const entry = errorCatalogue[code];
    this.code = code;
    this.exitCode = entry.exitCode;
    this.where = options.where;
    this.hint = options.hint ?? entry.hint;
    this.details = options.details ?? {};
  }
}

/** `file:line:column`, as far as it is known, or the input's name; empty where nothing is. */
export function describePlace(place: Place | undefined): string {
  if (place === undefined) return '';
  if (place.file === undefined) return place.input ?? '';
  return [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
}

/** The two or three lines that a person reads: what, where, what to do, and the code. */
export function describeFailure(failure: Failure): string {
  const place = describePlace(failure.where);
  return [
    `${place === '' ? '' : `${place}: `}${failure.message}`,
    `  how to fix: ${failure.hint}`,
    `  code: ${failure.code}`,
  ].join('\n');
}
