import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { Records, Timing } from '../../../promotion/context/ports.ts';
import { repositoryOf } from '../../../store/lanes/lane-id.ts';
import { mayTouch } from '../../../operators/operator.ts';
import { describeMetrics, usualDays } from '../../metrics/describe-metrics.ts';
import { readPast } from '../../metrics/past-promotions.ts';
import { type ApiAnswer, ok, wrong } from './answers.ts';
import type { ApiCall } from './api-call.ts';

/** Delivery metrics of the operator's lanes; `lane` (id or name) and `repository` filter. */
export async function showDeliveryMetrics({
  operator,
  ports,
  query,
}: ApiCall<Records<LaneReads> & Pick<Timing, 'clock'>>): Promise<ApiAnswer> {
  const days = Number(query.get('days') ?? usualDays);
  if (!Number.isSafeInteger(days) || days < 1 || days > usualDays)
    return wrong(`\`days\` must be a whole number from 1 to ${usualDays}`);
  const fits = (name: string, ...values: readonly string[]): boolean =>
    query.get(name) === null || values.includes(query.get(name) ?? '');
  const ids = (await ports.store.laneIds()).filter((id) => mayTouch(operator, repositoryOf(id)));
  const all = await Promise.all(ids.map((id) => ports.store.lane(id)));
  const lanes = all
    .filter((lane) => lane !== undefined)
    .filter((lane) => fits('repository', lane.repository) && fits('lane', lane.id, lane.name));
  const past = await readPast(ports, lanes);
  return ok(describeMetrics(lanes, past, days, ports.clock.now()));
}
