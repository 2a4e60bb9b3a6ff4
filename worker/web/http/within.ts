/** The records did not answer in time. */
class TooLate extends Error {
  readonly statusCode = 503;
}

/**
 * Rejects if work takes longer than a limit; the request is then answered 503. Commands to Redis wait until an
 * outage ends, but a person does not wait so long. Fastify's `handlerTimeout` is not used, because it has no effect
 * on a request with a body.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TooLate(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
