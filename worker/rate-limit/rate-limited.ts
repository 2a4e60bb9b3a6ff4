/** A call was not sent: the credential has spent what it may send for now. It may be sent after `ms`. */
export class RateLimited extends Error {
  readonly ms: number;
  constructor(ms: number) {
    super(`nothing may be sent to the platform for ${Math.ceil(ms / 1_000)} s`);
    this.ms = ms;
  }
}
