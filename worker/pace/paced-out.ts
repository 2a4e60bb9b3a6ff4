/** A call was not sent: the credential has spent what it may send for now. It may be sent after `ms`. */
export class PacedOut extends Error {
  readonly ms: number;
  constructor(ms: number) {
    super(`the platform takes no more requests for ${Math.ceil(ms / 1_000)} s`);
    this.ms = ms;
  }
}
