/**
 * Counts concurrent pieces of work ("flows"). Work that should begin when nothing can be added to it any more waits
 * until every flow has ended or waits too.
 */
export interface Flows {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Runs works of one flow at the same time; the flow waits for all of them. */
  all<T>(works: readonly (() => Promise<T>)[]): Promise<readonly PromiseSettledResult<T>[]>;
  /** A flow waits for something that begins only when all wait. */
  leave(): void;
  /** The flow continues. */
  enter(): void;
  /** Resolves when every flow has ended or waits. */
  idle(): Promise<void>;
}

export function createFlows(): Flows {
  let running = 0;
  let wake: (() => void) | undefined;
  function leave(): void {
    running -= 1;
    if (running === 0) wake?.();
  }
  const enter = (): void => void (running += 1);
  return {
    leave,
    enter,
    async run(work) {
      enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    async all(works) {
      if (works.length === 0) return [];
      running += works.length - 1;
      let left = works.length;
      return Promise.allSettled(
        works.map(async (work) => {
          try {
            return await work();
          } finally {
            left -= 1;
            // The last one continues as the flow itself.
            if (left > 0) leave();
          }
        }),
      );
    },
    async idle() {
      if (running === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await promise;
      wake = undefined;
    },
  };
}
