/** A call was not sent, because the credential has used its request budget. It may be sent after `ms`. */
export class RateLimited extends Error {
  readonly ms: number;
  constructor(ms: number) {
    super(
      `The rate limit of this credential (worker.yaml) is reached: the next request to the platform is possible in ${Math.ceil(ms / 1_000)} s.`,
    );
    this.ms = ms;
  }
}
