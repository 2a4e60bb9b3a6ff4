/**
 * Chunks of bytes. A generator that must wait yields a promise, which never rejects; the consumer resumes it when
 * that promise has resolved. Data that is available synchronously needs neither a promise nor a turn of the event
 * loop.
 */
export type Chunks = Generator<Uint8Array | Promise<void>, void, void>;

/** Waits inside a generator of chunks: `const value = yield* waitFor(promise)`. Throws the promise's rejection. */
export function* waitFor<T>(promise: PromiseLike<T>): Generator<Promise<void>, T, void> {
  let take = (): T => {
    throw new Error('the generator of chunks was resumed before its promise had settled');
  };
  const awaitOutcome = async (): Promise<void> => {
    try {
      const value = await promise;
      take = () => value;
    } catch (error) {
      take = () => {
        throw error;
      };
    }
  };
  yield awaitOutcome();
  return take();
}

export function* chunksOf(source: AsyncIterable<Uint8Array>): Chunks {
  const iterator = source[Symbol.asyncIterator]();
  let isDone = false;
  try {
    for (;;) {
      const step = yield* waitFor(iterator.next());
      isDone = step.done === true;
      if (isDone) return;
      yield step.value;
    }
  } finally {
    if (!isDone) void releaseSource(source, iterator);
  }
}

/** Closes the source without waiting for it: an idle stream would otherwise notice only at its next chunk. */
async function releaseSource(
  source: AsyncIterable<Uint8Array> & { destroy?: unknown },
  iterator: AsyncIterator<Uint8Array>,
): Promise<void> {
  try {
    if (typeof source.destroy === 'function') source.destroy();
    await iterator.return?.();
  } catch {
    // The consumer already has the reason why it stopped; an error here adds nothing.
  }
}

/** The chunks as an async iterable. */
export async function* asStream(chunks: Chunks): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    if (chunk instanceof Promise) await chunk;
    else yield chunk;
  }
}
