/** Limits how many pieces of work run at the same time. Others wait in the order in which they were requested. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs `work` when there is a free slot. Undefined if the signal aborts before that. */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result | undefined> {
    if (!(await this.#acquire(signal))) return undefined;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #acquire(signal: AbortSignal): Promise<boolean> | boolean {
    if (signal.aborted) return false;
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const begin = () => resolve(true);
    const leave = () => {
      const at = this.#waiting.indexOf(begin);
      if (at >= 0) this.#waiting.splice(at, 1);
      resolve(false);
    };
    this.#waiting.push(begin);
    signal.addEventListener('abort', leave, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', leave));
  }
}
