/** The error of an expression: what is wrong, and at which offset of its text (in UTF-16 units). */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly offset: number;
  /** `refused`: the engine does not support it. `failed`: JavaScript would fail too. */
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
