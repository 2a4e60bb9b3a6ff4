/**
 * Thrown if a call was not sent because the credential's request budget is used up. The call may be sent after `ms`
 * milliseconds.
 */
export class RateLimited extends Error {
  readonly ms: number;
  constructor(ms: number) {
    super(
      `The rate limit of this credential (worker.yaml) is reached: the next request to the platform is possible in ${Math.ceil(ms / 1_000)} s.`,
    );
    this.ms = ms;
  }
}
