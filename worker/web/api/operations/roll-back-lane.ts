import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type {
  LiveVersions,
  PlatformCalls,
  Platforms,
  Policy,
  Queues,
  Records,
} from '../../../promotion/context/ports.ts';
import type { GateDecisions } from '../../../store/gates/gate-decisions.ts';
import type { LaneControl } from '../../../store/lanes/lane-control.ts';
import { messageOf } from '../../../../lib/core/errors/message-of.ts';
import { silentProgress } from '../../../../lib/core/ports/ports.ts';
import { rollback, type RollbackReport } from '../../../../flows/rollback/rollback.ts';
import { recordRollBack } from '../../../promotion/decisions/record-roll-back.ts';
import { type ApiAnswer, conflict, ok, unknown, wrong } from './answers.ts';
import { type ApiCall, isGiven, textOf } from './api-call.ts';

/** Timeout of the calls to the platform. */
const callTimeoutMs = 20_000;

/**
 * Rolls a lane's target back at the request of an operator. First holds the lane with the reason, in one step with
 * the check that no promotion is running, so that no promotion can interfere. The lane stays on hold until a person
 * resumes it. `version`, if given, must be the live version, so that a repeated call does no harm. `to`: the
 * version to go back to; without it, the newest that was verified there.
 */
export async function rollBackLane(
  call: ApiCall<
    Records<GateDecisions & LaneControl & LaneReads> &
      PlatformCalls &
      Pick<Policy, 'config'> &
      Queues &
      Pick<LiveVersions, 'live'>
  >,
): Promise<ApiAnswer> {
  const { id, operator, via, ports } = call;
  const { store, clock } = ports;
  const reason = textOf(call, 'reason');
  if (reason === undefined) return wrong('a roll-back needs a `reason`');
  // Without it, the live version is meant, and a second call would go one version further back.
  if (isGiven(call, 'version') && textOf(call, 'version') === undefined)
    return wrong('`version` must be the name of the version that is live now');
  if (isGiven(call, 'to') && textOf(call, 'to') === undefined)
    return wrong('`to` must be the name of the version to go back to');
  const lane = await store.lane(id);
  if (lane === undefined) return unknown();
  const held = `roll-back by hand: ${reason}`;
  const { status, promotion } = await store.holdForRollBack(id, {
    cause: 'rolled-back',
    by: operator.name,
    via,
    reason: held,
    since: clock.now(),
  });
  if (status === 'unknown') return unknown();
  if (status === 'at-work')
    return conflict(`promotion ${promotion} is running in ${lane.to}: cancel it first`);
  const report = await disable(call, lane);
  // Also after an error: a call whose answer was lost may have changed it.
  await ports.live.changed({ project: lane.project, environment: lane.to });
  if ('body' in report) return report;
  const { disabled, alsoDisabled, live } = report;
  // The live version last, as it was disabled: the lane's record then names it as the one that was taken out.
  for (const version of [...alsoDisabled, disabled])
    await recordRollBack(id, { disabled: version, live, by: operator.name, via, reason }, ports);
  return ok({ rolledBack: id, disabled, alsoDisabled, live, held });
}

async function disable(
  call: ApiCall<Records<LaneReads> & PlatformCalls & Pick<Policy, 'config'>>,
  { to, project, id }: { readonly to: string; readonly project: string; readonly id: string },
): Promise<RollbackReport | ApiAnswer> {
  const { clock, random, logger } = call.ports;
  const platform = platformOf(id, call.ports);
  if (platform === undefined) return conflict('worker.yaml no longer lists the repository');
  const signal = AbortSignal.timeout(callTimeoutMs);
  const { client, rateLimiter } = platform;
  const context = { client, projectId: project, clock, random, logger, progress: silentProgress, signal };
  try {
    const verified = await call.ports.store.verifiedVersions({ project, environment: to }, id);
    const options = {
      environment: to,
      version: textOf(call, 'version'),
      to: textOf(call, 'to'),
      verified,
      dryRun: false,
    };
    return await rateLimiter.withOwnTokens(() => rollback(options, context));
  } catch (error) {
    const status = messageOf(error);
    return conflict(
      `${status} The lane is now on hold, so that nothing is promoted there: look at what is live in ${to}, then resume the lane.`,
    );
  }
}

/** The platform of a lane; undefined if worker.yaml no longer lists its repository. */
export function platformOf(lane: string, { config, platformFor }: Pick<Policy, 'config'> & Platforms) {
  const repository = config.repositories.find(({ id }) => id === Number(lane.split('/')[0]));
  return repository === undefined ? undefined : platformFor(repository.credential);
}
