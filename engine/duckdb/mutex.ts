/** Runs one piece of work at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    // A failure belongs to its caller; the next piece of work only waits for the end.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
