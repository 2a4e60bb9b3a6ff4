/**
 * A signal that aborts `ms` milliseconds after the given one: for a request whose answer is needed although the user
 * has cancelled, because it says what there is to clean up.
 */
export function lateSignal(signal: AbortSignal, ms: number): AbortSignal {
  const late = new AbortController();
  signal.addEventListener(
    'abort',
    () => AbortSignal.timeout(ms).addEventListener('abort', () => late.abort(signal.reason), { once: true }),
    { once: true },
  );
  return late.signal;
}
