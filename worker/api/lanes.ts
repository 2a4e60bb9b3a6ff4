import { repositoryOf } from '../lanes/repository-of.ts';
import type { LaneRecord } from '../lanes/lane-record.ts';
import { mayTouch } from '../operators/operator.ts';
import type { Engine } from '../run/engine.ts';
import { type ApiAnswer, conflict, ok, unknown, wrong } from './answers.ts';
import { type ApiCall, textOf } from './api-call.ts';
import { describeHistory } from './describe-history.ts';
import { describeRun } from './describe-run.ts';
import { timeOf } from './time-of.ts';

/** All lanes of the operator's repositories. */
export async function listLanes({ operator, engine }: ApiCall): Promise<ApiAnswer> {
  const ids = (await engine.store.laneIds()).filter((id) => mayTouch(operator, repositoryOf(id)));
  const lanes = await Promise.all(ids.map((id) => engine.store.lane(id)));
  return ok({
    lanes: await Promise.all(
      lanes.filter((lane) => lane !== undefined).map((lane) => describeLane(lane, engine)),
    ),
  });
}

/** One lane with its history. */
export async function showLane({ id, engine }: ApiCall): Promise<ApiAnswer> {
  const lane = await engine.store.lane(id);
  if (lane === undefined) return unknown();
  const history = describeHistory(await engine.store.history({ lane: id }));
  return ok({ ...(await describeLane(lane, engine)), history });
}

/** Nothing happens in the lane until it is released; what runs on the platform goes on. */
export async function holdLane(call: ApiCall): Promise<ApiAnswer> {
  const { id, operator, engine } = call;
  const why = textOf(call, 'reason');
  if (why === undefined) return wrong('a hold needs a `reason`');
  await engine.store.hold(id, { by: operator.name, why, since: engine.clock.now() });
  return ok({ held: id, why });
}

/** Lets a held lane go on. */
export async function releaseLane(call: ApiCall): Promise<ApiAnswer> {
  const { id, operator, engine } = call;
  const { said, started } = await engine.store.release(id, operator.name, {
    why: textOf(call, 'reason') ?? '',
  });
  if (said !== 'ok') return conflict('the lane is not on hold');
  if (started !== '') await engine.queues.hurryTurn(started);
  return ok({ released: id, goesOn: started === '' ? null : started });
}

async function describeLane(lane: LaneRecord, engine: Engine) {
  const { hold, live } = lane;
  const active = lane.active === undefined ? undefined : await engine.store.run(lane.active);
  return {
    ...lane,
    active: active === undefined ? null : describeRun(active, engine),
    hold: hold === undefined ? null : { ...hold, sinceTime: timeOf(hold.since) },
    live: live === undefined ? null : { ...live, atTime: timeOf(live.at) },
  };
}
