/** The records did not answer in time. */
class TooLate extends Error {
  readonly statusCode = 503;
}

/**
 * Rejects if work takes longer, with an error that is answered 503: commands survive an outage of Redis, but a
 * person does not wait that long. Not fastify's `handlerTimeout`, which a request's own end cancels: it has no
 * effect on a request with a body.
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
