/** A position in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Something that the engine does not support: it refuses the whole statement or component instead of guessing.
 * `construct` names it as the user wrote it (`COPY INTO`, `FLATTEN(… MODE => …)`); `hint` says what to do instead.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly construct: string;
  readonly place: Place | undefined;
  readonly hint: string | undefined;

  constructor(construct: string, place?: Place, hint?: string) {
    const where = place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `;
    super(`${where}Millrace does not support ${construct}${hint === undefined ? '' : `; ${hint}`}`);
    this.construct = construct;
    this.place = place;
    this.hint = hint;
  }
}

/**
 * An error that the warehouse itself would report too: a missing table, a wrong column, text that is not a number.
 * `sql`: the statement as written; `ran`: what the engine made of it; `ranOffset`: where in `ran` the error is.
 */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  readonly place: Place | undefined;
  readonly sql: string | undefined;
  readonly ran: string | undefined;
  readonly ranOffset: number | undefined;

  constructor(
    message: string,
    given: { place?: Place | undefined; sql?: string; ran?: string; ranOffset?: number | undefined } = {},
  ) {
    const { place, sql, ran, ranOffset } = given;
    super(place === undefined ? message : `${place.file}:${place.line}:${place.column}: ${message}`);
    this.place = place;
    this.sql = sql;
    this.ran = ran;
    this.ranOffset = ranOffset;
  }
}
