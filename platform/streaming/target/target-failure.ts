/** What a target cannot do, in one sentence for the user, with what to do about it. */
export class TargetFailure extends Error {
  override readonly name = 'TargetFailure';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
