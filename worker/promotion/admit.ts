import { createHash } from 'node:crypto';
import type { Engine } from './engine.ts';
import type { Acceptance, Accepted } from '../store/lane-store.ts';

/**
 * Takes a version into a lane and sets to work what follows from it. A crash in between loses nothing: the
 * reconciler finds runs without a job.
 */
export async function admit(
  acceptance: Acceptance,
  { store, queues, live }: Pick<Engine, 'store' | 'queues' | 'live'>,
): Promise<Accepted> {
  const accepted = await store.accept(acceptance);
  if (accepted.said !== 'accepted') return accepted;
  // What is live in the target of a new lane is asked at once.
  const { project, to } = acceptance.plan.lane;
  await live.register([{ project, environment: to }]);
  if (accepted.started !== '') await queues.addTurn(accepted.started);
  for (const id of new Set([acceptance.runId, ...accepted.touched])) {
    const run = await store.run(id);
    if (run === undefined) continue;
    if (run.report.seq > run.report.sent) await queues.addReport(id, run.report.seq);
    // It was told to end.
    if (run.state === 'active' && run.cancel !== undefined) await queues.hurryTurn(id);
  }
  if (accepted.started === '') await hurryWaiting(acceptance.plan.lane.id, { store, queues });
  return accepted;
}

/** A run that waits at a gate gives way to a newer one: it must hear of it now. */
async function hurryWaiting(
  lane: string,
  { store, queues }: Pick<Engine, 'store' | 'queues'>,
): Promise<void> {
  const active = (await store.lane(lane))?.active;
  const run = active === undefined ? undefined : await store.run(active);
  if (run?.step.name === 'promote' && run.intent === undefined) await queues.hurryTurn(run.id);
}

/** The id of the run that something makes in a lane: the same for the same cause, so that it is made once. */
export function runIdOf(lane: string, cause: string): string {
  return createHash('sha256').update(`${lane}\n${cause}`).digest('hex').slice(0, 20);
}
