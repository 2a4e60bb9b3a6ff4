/** Counts tasks that only yield, so that a move of the clock can wait until all tasks are idle. */
export function createYieldTracker() {
  let open = 0;
  const waiting = new Set<() => void>();
  return {
    async take(yielded: Promise<void>): Promise<void> {
      open += 1;
      try {
        await yielded;
      } finally {
        open -= 1;
        if (open === 0) for (const go of waiting) go();
      }
    },
    /** Resolves when no task can continue without time or I/O. */
    async over(): Promise<void> {
      for (;;) {
        if (open > 0) {
          const { promise, resolve } = Promise.withResolvers<void>();
          waiting.add(resolve);
          await promise;
          waiting.delete(resolve);
        }
        await new Promise<void>((resolve) => void setImmediate(resolve));
        if (open === 0) return;
      }
    },
  };
}
