import { type ApiAnswer, conflict, ok, unknown, wrong } from './answers.ts';
import { type ApiCall, textOf } from './api-call.ts';
import { describeHistory } from './describe-history.ts';
import { describeLane, lanesOf } from './describe-lane.ts';

/** All lanes of the operator's repositories. */
export async function listLanes({ operator, engine }: ApiCall): Promise<ApiAnswer> {
  return ok({ lanes: await lanesOf(operator, engine) });
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
