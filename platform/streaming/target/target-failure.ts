/** Thrown if a target cannot do something: one sentence for the user, and how to fix it. */
export class TargetFailure extends Error {
  override readonly name = 'TargetFailure';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
