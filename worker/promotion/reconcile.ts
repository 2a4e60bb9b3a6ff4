import { workerName } from '../../lib/config/operator-schema.ts';
import { finishReplays } from './replay.ts';
import type { Engine } from './engine.ts';
import { overQueueLimit } from './limits.ts';
import type { RunRecord } from '../records/run-record.ts';

/** So many records are read at once. */
const batch = 200;

/**
 * Makes anew what jobs were lost: every replay that was begun is done, every run that is not over has a turn to come,
 * every end that GitHub has not heard of a report, every idle lane its next run. Adding a job that is there changes
 * nothing. `trims`: old histories are cut too, which costs two commands a lane.
 */
export async function reconcile(engine: Engine, { trims = true } = {}): Promise<void> {
  const { store, queues, clock, config } = engine;
  for (const lanes of inBatches(await store.laneIds())) await store.wake(lanes);
  await finishReplays(engine);
  for (const open of inBatches(await store.openIds())) {
    const needy = await store.needy(open, queues.turnKeys);
    const runs = await Promise.all(needy.map((id) => store.run(id)));
    const known = runs.filter((run) => run !== undefined);
    await addTurns(known, engine);
    for (const run of known) await seeTo(run, engine);
  }
  const { runs, audit } = config.keep;
  const now = clock.now();
  await store.forget(now - runs);
  if (trims) await store.trim({ lanes: now - runs, audit: now - audit });
}

function* inBatches(ids: readonly string[]): Generator<readonly string[]> {
  for (let i = 0; i < ids.length; i += batch) yield ids.slice(i, i + batch);
}

async function addTurns(
  runs: readonly RunRecord[],
  { queues, metrics }: Pick<Engine, 'queues' | 'metrics'>,
): Promise<void> {
  const working = runs.filter(({ state }) => state === 'active' || state === 'following');
  const lost = await queues.withoutTurn(working.map(({ id }) => id));
  for (const id of lost) {
    await queues.addTurn(id);
    metrics.recovered.inc({ what: 'turn' });
  }
}

async function seeTo(run: RunRecord, { store, queues, clock }: Engine): Promise<void> {
  const late = overQueueLimit(run, clock.now());
  if (late !== undefined) await store.cancel(run.id, workerName, { via: 'worker', because: late });
  if (run.report.seq > run.report.sent) await queues.addReport(run.id, run.report.seq);
  else if (run.state === 'finished') await store.close(run.id);
}
