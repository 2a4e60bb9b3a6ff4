import { type Place, Refusal, SqlError, type SqlErrorCode } from '../core/refusal.ts';
import { ParameterError } from '../parameters/parameter-error.ts';

/** Whether an error is about the pipeline, and not about Millrace. */
export function isExpected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some(
    (each) => each instanceof SqlError || each instanceof ParameterError || each instanceof Refusal,
  );
}

/** Where an error is in the file, if it says so. */
export function placeOf(error: unknown): Place | undefined {
  const isPlaced = error instanceof SqlError || error instanceof ParameterError || error instanceof Refusal;
  return isPlaced ? error.place : undefined;
}

/** The message without the place. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = placeOf(error);
  const prefix = place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `;
  return error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
}

/** The first quoted name of a message: the column of one about a missing column. */
export function nameIn(error: unknown): string | undefined {
  return /"((?:[^"]|"")*)"/.exec(messageOf(error))?.[1];
}

/** Also of an error that names the component of another one. */
export function codeOf(error: unknown): SqlErrorCode | undefined {
  if (error instanceof SqlError) return error.code;
  return error instanceof Error && error.cause instanceof SqlError ? error.cause.code : undefined;
}

export function isAboutNames(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'missing-column' || code === 'ambiguous-column';
}
