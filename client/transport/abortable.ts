/** Node's largest timer delay, in milliseconds. A timer with a larger delay fires at once. */
export const maxTimerMs = 2 ** 31 - 1;

/** Rejects with `error()` after `ms` milliseconds of real time. */
export interface TimeLimit {
  readonly ms: number;
  error(): Error;
}

/**
 * Settles as `work` does, but rejects with the signal's reason as soon as it aborts, or with the limit's error when
 * the time is up. It does not stop the work itself.
 */
export async function abortable<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
  limit?: TimeLimit,
): Promise<Value> {
  if (signal === undefined && limit === undefined) return work;
  const ended = Promise.withResolvers<never>();
  const onAbort = (): void => ended.reject(signal?.reason);
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer =
    limit === undefined
      ? undefined
      : setTimeout(() => ended.reject(limit.error()), Math.max(1, Math.min(limit.ms, maxTimerMs)));
  try {
    return await Promise.race([work, ended.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
