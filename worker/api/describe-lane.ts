import type { LaneRecord } from '../lanes/lane-record.ts';
import { repositoryOf } from '../lanes/lane-id.ts';
import { mayTouch, type Operator } from '../operators/operator.ts';
import type { Engine } from '../run/engine.ts';
import { describeRun } from './describe-run.ts';
import { timeOf } from './time-of.ts';

/** A lane as the API shows it. */
export type ShownLane = Awaited<ReturnType<typeof describeLane>>;

/** A lane with the run that has it and the one that it took last; times in ISO 8601 and in milliseconds. */
export async function describeLane(lane: LaneRecord, engine: Engine) {
  const { holds, live, lastRun } = lane;
  const shown = async (id: string | undefined) => {
    const run = id === undefined ? undefined : await engine.store.run(id);
    return run === undefined ? null : describeRun(run, engine);
  };
  const active = await shown(lane.active);
  return {
    ...lane,
    active,
    last: lastRun === active?.id ? active : await shown(lastRun),
    holds: holds.map((hold) => ({ ...hold, sinceTime: timeOf(hold.since) })),
    live: live === undefined ? null : { ...live, atTime: timeOf(live.at) },
  };
}

/** All lanes of the operator's repositories. */
export async function lanesOf(operator: Operator, engine: Engine): Promise<readonly ShownLane[]> {
  const ids = (await engine.store.laneIds()).filter((id) => mayTouch(operator, repositoryOf(id)));
  const lanes = await Promise.all(ids.map((id) => engine.store.lane(id)));
  return Promise.all(lanes.filter((lane) => lane !== undefined).map((lane) => describeLane(lane, engine)));
}
