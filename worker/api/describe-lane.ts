import type { LaneRecord } from '../lanes/lane-record.ts';
import { repositoryOf } from '../lanes/lane-id.ts';
import { mayTouch, type Operator } from '../operators/operator.ts';
import type { Engine } from '../run/engine.ts';
import { describeRun } from './describe-run.ts';
import { holdHint } from './hold-hint.ts';
import { timeOf } from './time-of.ts';

/** A lane as the API shows it. */
export type ShownLane = Awaited<ReturnType<typeof describeLane>>;

/** A lane with the run that has it and the one that it took last; times in ISO 8601 and in milliseconds. */
export async function describeLane(lane: LaneRecord, engine: Engine) {
  const { holds, live, lastRun } = lane;
  const runOf = async (id: string | undefined) => (id === undefined ? undefined : engine.store.run(id));
  const shown = async (id: string | undefined) => {
    const run = await runOf(id);
    return run === undefined ? null : describeRun(run, engine);
  };
  const active = await shown(lane.active);
  const holding = await Promise.all(holds.map(async (hold) => ({ hold, run: await runOf(hold.run) })));
  return {
    ...lane,
    active,
    last: lastRun === active?.id ? active : await shown(lastRun),
    holds: holding.map(({ hold, run }) => ({
      ...hold,
      sinceTime: timeOf(hold.since),
      hint: holdHint(hold, lane.name, run),
    })),
    /** The runs that hold the lane until somebody says how they stand, whatever waits behind them. */
    indeterminate: holding
      .flatMap(({ run }) => (run?.outcome === 'indeterminate' ? [run] : []))
      .map((run) => describeRun(run, engine)),
    live: live === undefined ? null : { ...live, atTime: timeOf(live.at) },
  };
}

/** All lanes of the operator's repositories. */
export async function lanesOf(operator: Operator, engine: Engine): Promise<readonly ShownLane[]> {
  const ids = (await engine.store.laneIds()).filter((id) => mayTouch(operator, repositoryOf(id)));
  const lanes = await Promise.all(ids.map((id) => engine.store.lane(id)));
  return Promise.all(lanes.filter((lane) => lane !== undefined).map((lane) => describeLane(lane, engine)));
}
