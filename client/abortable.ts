/** Node's timers know no longer time; beyond it they would run out at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** After `ms` milliseconds of real time, what `error` makes. */
export interface TimeLimit {
  readonly ms: number;
  error(): Error;
}

/**
 * The promise's outcome, or the signal's reason as soon as it aborts, or the limit's error when its time is up. The work
 * itself goes on.
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
      : setTimeout(() => ended.reject(limit.error()), Math.max(1, Math.min(limit.ms, longestTimerMs)));
  try {
    return await Promise.race([work, ended.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
