/**
 * Thrown for an expression that cannot be read or evaluated. It has the reason, and the offset in the text of the
 * expression (in UTF-16 code units).
 */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly offset: number;
  /** `refused`: the engine does not support the expression. `failed`: JavaScript would fail too. */
  readonly kind: 'refused' | 'failed';

  constructor(kind: 'refused' | 'failed', message: string, offset: number) {
    super(message);
    this.kind = kind;
    this.offset = offset;
  }
}

export function refuse(what: string, offset: number): never {
  throw new ExpressionError('refused', `Millrace does not support this in an expression: ${what}`, offset);
}

export function fail(message: string, offset: number): never {
  throw new ExpressionError('failed', message, offset);
}
