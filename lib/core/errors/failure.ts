import { type ErrorCode, errorCatalogue } from './error-catalogue.ts';
import type { ExitCode } from '../outcomes/outcome.ts';

/** Where a failure occurred: a position in a file, or the name of an input, flag or variable. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly input?: string;
}

export interface FailureOptions {
  /** What failed, in one sentence, without a stack or a secret. */
  readonly message: string;
  readonly where?: Place;
  /** How to fix it. Default: the hint of the catalogue. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** Facts for `--json` and logs. */
  readonly details?: Record<string, unknown>;
}

/**
 * An expected failure: a stable code, what failed, where, and how to fix it. Commands, actions and HTTP routes
 * convert it to an exit code, an annotation or an answer; users never see its stack.
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

/** `file:line:column` as far as known, or the input's name; empty if neither is known. */
export function describePlace(place: Place | undefined): string {
  if (place === undefined) return '';
  if (place.file === undefined) return place.input ?? '';
  return [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
}

/** The failure as three lines for users: place and message, how to fix it, and the code. */
export function describeFailure(failure: Failure): string {
  const place = describePlace(failure.where);
  return [
    `${place === '' ? '' : `${place}: `}${failure.message}`,
    `  how to fix: ${failure.hint}`,
    `  code: ${failure.code}`,
  ].join('\n');
}
