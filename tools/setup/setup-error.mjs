/** An error that the user can fix. It is shown without a stack. */
export class SetupError extends Error {
  /** @param {string} message @param {string} [hint] how to fix it */
  constructor(message, hint) {
    super(hint === undefined ? message : `${message}\n  how to fix: ${hint}`);
  }
}
