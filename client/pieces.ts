/**
 * Bytes, piece after piece. Where it has to wait it yields a promise, which never rejects, and is asked to go on when
 * that has settled. What is at hand costs neither a promise nor a turn of the event loop.
 */
export type Pieces = Generator<Uint8Array | Promise<void>, void, void>;

/** Waits in the midst of pieces: `const value = yield* waitFor(promise)`. Throws what the promise was rejected with. */
export function* waitFor<T>(promise: PromiseLike<T>): Generator<Promise<void>, T, void> {
  let take = (): T => {
    throw new Error('pieces were asked to go on before their promise had settled');
  };
  const settle = async (): Promise<void> => {
    try {
      const value = await promise;
      take = () => value;
    } catch (error) {
      take = () => {
        throw error;
      };
    }
  };
  yield settle();
  return take();
}

export function* piecesOf(source: AsyncIterable<Uint8Array>): Pieces {
  const iterator = source[Symbol.asyncIterator]();
  let over = false;
  try {
    for (;;) {
      const step = yield* waitFor(iterator.next());
      over = step.done === true;
      if (over) return;
      yield step.value;
    }
  } finally {
    if (!over) void letGo(source, iterator);
  }
}

/** Whoever stops early waits for nobody. A stream that is silent would hear of it with its next chunk only. */
async function letGo(
  source: AsyncIterable<Uint8Array> & { destroy?: unknown },
  iterator: AsyncIterator<Uint8Array>,
): Promise<void> {
  try {
    if (typeof source.destroy === 'function') source.destroy();
    await iterator.return?.();
  } catch {
    // Why the pieces were stopped is what is told.
  }
}

/** For those who take pieces as any other stream. */
export async function* asStream(pieces: Pieces): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Promise) await piece;
    else yield piece;
  }
}
