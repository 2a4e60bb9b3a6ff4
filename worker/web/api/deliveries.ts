import { type ApiAnswer, ok } from './answers.ts';
import { type ApiCall, limitOf } from './api-call.ts';
import { timeOf } from './time-of.ts';

const mostDeliveries = 200;

/** What was delivered lately, newest first, and what came of it. */
export async function listDeliveries(call: ApiCall): Promise<ApiAnswer> {
  const deliveries = await call.engine.deliveries.list(limitOf(call, mostDeliveries));
  return ok({
    deliveries: deliveries.map(({ at, takenInAt, repository, ref, pull, ...delivery }) => ({
      ...delivery,
      repository: repository ?? null,
      ref: ref ?? null,
      pull: pull ?? null,
      at: timeOf(at),
      takenInAt: timeOf(takenInAt),
    })),
  });
}
