/** Something that the person at the keyboard can mend: shown without a stack. */
export class Trouble extends Error {
  /** @param {string} message @param {string} [mend] what to do about it */
  constructor(message, hint) {
    super(hint === undefined ? message : `${message}\n  how to fix: ${hint}`);
  }
}
