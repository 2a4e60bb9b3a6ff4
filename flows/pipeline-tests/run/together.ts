/**
 * Runs tasks at the same time. The first error aborts the signal of all tasks, and is thrown after all of them have
 * ended, so that no process outlives the call.
 * @param tasks each gets the signal, which a cancel also aborts
 */
export async function together(
  cancel: AbortSignal,
  tasks: (signal: AbortSignal) => readonly (() => Promise<void>)[],
): Promise<void> {
  const stop = new AbortController();
  const running = tasks(AbortSignal.any([stop.signal, cancel])).map((task) => task());
  try {
    await Promise.all(running);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(running);
    throw error;
  }
}
