/** A position in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * The start of the message of every refusal. Refusals of values, which are found only while a statement runs, start
 * with it too.
 */
export const REFUSAL = 'Millrace does not support ';

/**
 * Thrown for something that the engine does not support. The engine then refuses the whole statement or component
 * instead of guessing its meaning. `construct` names what is not supported as the user wrote it (`COPY INTO`,
 * `FLATTEN(… MODE => …)`). `hint` says what to do instead.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly construct: string;
  readonly place: Place | undefined;
  readonly hint: string | undefined;
  /** The SQL as the user wrote it. `withSql` sets it. */
  sql: string | undefined;

  constructor(construct: string, place?: Place, hint?: string) {
    const where = place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `;
    super(`${where}${REFUSAL}${construct}${hint === undefined ? '' : `; ${hint}`}`);
    this.construct = construct;
    this.place = place;
    this.hint = hint;
  }
}

/**
 * The kind of an SqlError, for code that handles it. `exists`: the object to create already exists. `missing-object`:
 * a schema, a sequence or a function does not exist. `other-kind`: the object is a table although a view is needed,
 * or a view although a table is needed. Each of these errors depends on what ran before the statement.
 */
export type SqlErrorCode =
  'missing-table' | 'missing-column' | 'ambiguous-column' | 'exists' | 'missing-object' | 'other-kind';

/**
 * An error that a real warehouse would report too, such as a missing table, a wrong column, or a text that is not a
 * number. `sql` is the SQL as the user wrote it, `ran` is the SQL that the engine ran, and `ranOffset` is the offset
 * of the error in `ran`.
 */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  readonly place: Place | undefined;
  sql: string | undefined;
  readonly ran: string | undefined;
  readonly ranOffset: number | undefined;
  readonly code: SqlErrorCode | undefined;

  constructor(
    message: string,
    details: {
      place?: Place | undefined;
      sql?: string | undefined;
      ran?: string | undefined;
      ranOffset?: number | undefined;
      code?: SqlErrorCode | undefined;
    } = {},
  ) {
    const { place, sql, ran, ranOffset, code } = details;
    super(place === undefined ? message : `${place.file}:${place.line}:${place.column}: ${message}`);
    this.place = place;
    this.sql = sql;
    this.ran = ran;
    this.ranOffset = ranOffset;
    this.code = code;
  }
}

/** Adds the SQL as written to an error that does not have it. Any other error is returned unchanged. */
export function withSql(error: unknown, sql: string): unknown {
  if (error instanceof Refusal || error instanceof SqlError) error.sql ??= sql;
  return error;
}

/**
 * Adds a position in a file to an error of the warehouse, which does not know the file. Any other error is returned
 * unchanged.
 */
export function atPlace(
  error: unknown,
  place: Place,
  details: { readonly sql?: string | undefined; readonly ran?: string | undefined } = {},
): unknown {
  if (!(error instanceof SqlError) || error.place !== undefined) return error;
  const { message, sql = details.sql, ran, ranOffset, code } = error;
  // The engine asks for rows in a query around the one that it made.
  const made = details.ran;
  return made === undefined || ran === undefined
    ? new SqlError(message, { place, sql, ran, ranOffset, code })
    : new SqlError(message, { place, sql, ran: made, code });
}
