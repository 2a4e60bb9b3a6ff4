import { admit, runIdOf } from './admit.ts';
import type { Engine } from './engine.ts';
import type { RunRecord } from '../records/run-record.ts';

/**
 * Hands a verified version on to the lanes that come after. Saying it again makes no second run: its id follows from
 * this one's, and a lane takes only what is newer than what it took last.
 */
export async function follow(run: RunRecord, engine: Engine): Promise<void> {
  const { plan, version = '' } = run;
  for (const lane of plan.lane.next) {
    const { said } = await admit(
      {
        runId: runIdOf(lane.id, run.id),
        plan: { ...plan, lane, version: { kind: 'named', name: version } },
        order: 'greater',
        head: { field: `after:${plan.lane.name}`, value: String(run.seq) },
      },
      engine,
    );
    if (said === 'lost') throw new Error('the records were lost; the lanes are made anew first');
  }
  await engine.store.followed(run.id);
}
