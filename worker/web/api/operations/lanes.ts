import { describeHold, describeLane, type LaneFactsPorts, lanesOf } from './describe-lane.ts';
import type { LaneControl } from '../../../store/lanes/lane-control.ts';
import type { LiveVersions, Policy, Queues, Records, Timing } from '../../../promotion/context/ports.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { Pauses } from '../../../store/gates/pauses.ts';
import type { Reporting } from '../../../store/reports/reporting.ts';
import { type ApiAnswer, conflict, ok, unknown, wrong } from './answers.ts';
import { type ApiCall, textOf } from './api-call.ts';
import { describeConfig } from './config.ts';
import { describeHistory } from './describe-history.ts';
import { githubLag } from './github-lag.ts';
import { pausesFor } from './pauses.ts';

/**
 * All lanes of the operator's repositories, the pauses, and how far GitHub is behind; also `config`, if the
 * operator may access all repositories.
 */
export async function listLanes({
  operator,
  ports,
}: ApiCall<
  Records<LaneReads & Pauses & Reporting> &
    Pick<Policy, 'config' | 'configStatus'> &
    Pick<Timing, 'clock'> &
    Pick<LiveVersions, 'live'>
>): Promise<ApiAnswer> {
  return ok({
    lanes: await lanesOf(operator, ports),
    pauses: await pausesFor(operator, ports),
    github: await githubLag(ports),
    config: operator.repositories === 'all' ? describeConfig(ports) : null,
  });
}

/** One lane with its history. */
export async function showLane({ id, ports }: ApiCall<LaneFactsPorts>): Promise<ApiAnswer> {
  const lane = await ports.store.lane(id);
  if (lane === undefined) return unknown();
  const history = describeHistory(await ports.store.history({ lane: id }));
  return ok({ ...(await describeLane(lane, ports)), history });
}

/** Polls the live version of the lane's target again soon, after a change outside the worker. */
export async function refreshLane({
  id,
  ports,
}: ApiCall<Records<LaneReads> & Pick<LiveVersions, 'live'>>): Promise<ApiAnswer> {
  const lane = await ports.store.lane(id);
  if (lane === undefined) return unknown();
  await ports.live.changed({ project: lane.project, environment: lane.to });
  return ok({ lane: id, environment: lane.to }, 202);
}

/** Holds the lane: no promotion starts until it is resumed; running executions continue. */
export async function holdLane(
  call: ApiCall<Records<LaneControl> & Pick<Timing, 'clock'>>,
): Promise<ApiAnswer> {
  const { id, operator, via, ports } = call;
  const reason = textOf(call, 'reason');
  if (reason === undefined) return wrong('a hold needs a `reason`');
  const since = ports.clock.now();
  const status = await ports.store.hold(id, { cause: 'manual', by: operator.name, via, reason, since });
  if (status === 'full') return conflict('the lane already has the maximum number of holds; lift some first');
  return status === 'ok' ? ok({ held: id, reason }) : unknown();
}

/**
 * Lifts the holds that the person saw; the body lists their ids as `holds`. If another hold was set since, it
 * stays, the lane stays on hold, and `left` lists it.
 */
export async function resumeLane(call: ApiCall<Records<LaneControl> & Queues>): Promise<ApiAnswer> {
  const { id, operator, via, ports } = call;
  const holds = holdsOf(call);
  if (holds === undefined)
    return wrong('give in `holds` the ids of the holds to lift, as the lane shows them');
  const reason = textOf(call, 'reason') ?? '';
  const answer = await ports.store.resume(id, operator.name, { holds, reason, via });
  if (answer.status !== 'ok')
    return conflict(
      'the lane is not on hold, or its holds have changed since you looked; look at the lane again',
    );
  const { started, lifted, left } = answer;
  if (started !== '') await ports.queues.expediteAdvance(started);
  return ok({
    lane: id,
    lifted: lifted.map((hold) => describeHold(hold)),
    left: left.map((hold) => describeHold(hold)),
    activePromotion: started === '' ? null : started,
  });
}

function holdsOf({ body }: ApiCall): readonly string[] | undefined {
  if (typeof body !== 'object' || body === null || !('holds' in body) || !Array.isArray(body.holds))
    return undefined;
  const ids = body.holds.filter((id) => typeof id === 'string' && id !== '');
  return ids.length === 0 ? undefined : ids;
}
