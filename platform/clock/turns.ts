/** Counts who only let others have their turn, so that a move in time can wait until nobody has anything left to do. */
export function createTurns() {
  let open = 0;
  const waiting = new Set<() => void>();
  return {
    async take(turn: Promise<void>): Promise<void> {
      open += 1;
      try {
        await turn;
      } finally {
        open -= 1;
        if (open === 0) for (const go of waiting) go();
      }
    },
    /** Resolves once everything that can go on without time and I/O has gone on. */
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
