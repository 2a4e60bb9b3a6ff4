import { type ApiAnswer, ok } from './answers.ts';
import { type ApiCall, limitOf } from './api-call.ts';
import { timeOf } from './time-of.ts';

const maxDeliveries = 200;

/** Recent deliveries and their results, newest first. */
export async function listDeliveries(call: ApiCall): Promise<ApiAnswer> {
  const deliveries = await call.engine.deliveries.list(limitOf(call, maxDeliveries));
  return ok({
    deliveries: deliveries.map(({ at, ingestedAt, repository, ref, pull, noPromotion, ...delivery }) => ({
      ...delivery,
      repository: repository ?? null,
      ref: ref ?? null,
      pull: pull ?? null,
      noPromotion: noPromotion ?? null,
      at: timeOf(at),
      ingestedAt: timeOf(ingestedAt),
    })),
  });
}
