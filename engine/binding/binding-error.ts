import { type Place, Refusal, SqlError, type SqlErrorCode } from '../core/refusal.ts';
import { ParameterError } from '../parameters/parameter-error.ts';

/** Whether an error is caused by the pipeline, and not by a defect of Millrace. */
export function isExpected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some(
    (each) => each instanceof SqlError || each instanceof ParameterError || each instanceof Refusal,
  );
}

/** The position of an error in the file, if the error has one. */
export function placeOf(error: unknown): Place | undefined {
  const isPlaced = error instanceof SqlError || error instanceof ParameterError || error instanceof Refusal;
  return isPlaced ? error.place : undefined;
}

/** The message of an error without its position. */
export function unplacedMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = placeOf(error);
  const prefix = place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `;
  return error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
}

/** The first quoted name in a message. In a message about a missing column, this is the column. */
export function nameIn(error: unknown): string | undefined {
  return /"((?:[^"]|"")*)"/.exec(unplacedMessage(error))?.[1];
}

/** The code of an error, even if the error is about another component. */
export function codeOf(error: unknown): SqlErrorCode | undefined {
  if (error instanceof SqlError) return error.code;
  return error instanceof Error && error.cause instanceof SqlError ? error.cause.code : undefined;
}

export function isAboutNames(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'missing-column' || code === 'ambiguous-column';
}
