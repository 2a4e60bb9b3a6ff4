import { Failure } from '../../../lib/core/failure.ts';
import { silentProgress } from '../../../lib/core/ports.ts';
import { rollback, type RollbackReport } from '../../../flows/rollback/rollback.ts';
import type { Engine } from '../../promotion/engine.ts';
import { type ApiAnswer, conflict, ok, unknown, wrong } from './answers.ts';
import { type ApiCall, isGiven, textOf } from './api-call.ts';

/** So long the platform may take. */
const callTimeoutMs = 20_000;

/**
 * Rolls a lane's target back by hand. The lane is held first, with the reason, in the step that finds no promotion at work,
 * so that automation neither comes between nor undoes it; it stays held until somebody releases it. `version`, where given, must be the live one, and
 * makes a second call harmless.
 */
export async function rollBackLane(call: ApiCall): Promise<ApiAnswer> {
  const { id, operator, via, engine } = call;
  const { store, clock } = engine;
  const why = textOf(call, 'reason');
  if (why === undefined) return wrong('a roll-back needs a `reason`');
  // Left out it would be whatever is live, and a second call goes one further back.
  if (isGiven(call, 'version') && textOf(call, 'version') === undefined)
    return wrong('`version` is the name of the live version');
  const lane = await store.lane(id);
  if (lane === undefined) return unknown();
  const reason = `rolled back by hand: ${why}`;
  const { status, promotion } = await store.holdForRollBack(id, {
    cause: 'rolled-back',
    by: operator.name,
    via,
    why: reason,
    since: clock.now(),
  });
  if (status === 'unknown') return unknown();
  if (status === 'at-work')
    return conflict(`promotion ${promotion} is at work in ${lane.to}: cancel it first`);
  const report = await disable(call, lane);
  // Whatever was answered: an answer that was lost may have changed it.
  await engine.live.changed({ project: lane.project, environment: lane.to });
  if ('body' in report) return report;
  const { disabled: gone, live } = report;
  await store.rolledBack(id, { gone, live, by: operator.name, via, why });
  return ok({ rolledBack: id, disabled: gone, live, held: reason });
}

async function disable(
  call: ApiCall,
  { to, project, id }: { readonly to: string; readonly project: string; readonly id: string },
): Promise<RollbackReport | ApiAnswer> {
  const { clock, random, logger } = call.engine;
  const client = clientOf(id, call.engine);
  if (client === undefined) return conflict('worker.yaml no longer lists the repository');
  const signal = AbortSignal.timeout(callTimeoutMs);
  const context = { client, projectId: project, clock, random, logger, progress: silentProgress, signal };
  try {
    return await rollback({ environment: to, version: textOf(call, 'version'), dryRun: false }, context);
  } catch (error) {
    const status = error instanceof Failure || error instanceof Error ? error.message : String(error);
    return conflict(`${status} The lane is held.`);
  }
}

function clientOf(lane: string, { config, platformFor }: Engine) {
  const repository = config.repositories.find(({ id }) => id === Number(lane.split('/')[0]));
  return repository === undefined ? undefined : platformFor(repository.credential).client;
}
