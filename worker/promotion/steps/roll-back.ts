import { workerName } from '../../../lib/config/worker/operator-schema.ts';
import { changeToRollBack } from '../../../flows/versions/change-live.ts';
import { listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { recordRollBack } from '../decisions/record-roll-back.ts';
import { notifyLiveChanged } from '../live/notify-live-changed.ts';
import { continueNow, type StepEnd, type Advance, waitFor } from '../advance/advance.ts';
import { waitWhileBlocked } from '../advance/wait-at-gate.ts';
import { holdFor } from './outcomes.ts';
import { retryMs, setEnabled } from './set-enabled.ts';

/**
 * Disables the failed version, and the versions below it that were never verified, so that executions use the
 * newest version that was verified in the target (spec §3.3). If there is no such version, disables nothing and
 * holds the lane. Repeating it does no harm.
 */
export async function rollBack(advance: Advance): Promise<StepEnd> {
  const { promotion, lane, ports } = advance;
  const { step } = promotion;
  if (step.name !== 'roll-back') return continueNow;
  const version = promotion.version ?? '';
  const all = await listArtifacts(lane.to, advance.context);
  const verified = await ports.store.verifiedVersions(
    { project: lane.project, environment: lane.to },
    lane.id,
  );
  const failed = `${version} failed in ${lane.to}: ${step.reason}`;
  const change = changeToRollBack(all, version, verified);
  if (change === undefined) {
    return stopHere(
      advance,
      failed,
      `it was not rolled back, because no earlier version that was verified in ${lane.to} is enabled there`,
    );
  }
  for (const name of change.disable) {
    const result = await setEnabled(advance, { version: name, enabled: false, since: step.since });
    if (result.status === 'blocked') return waitWhileBlocked(advance);
    if (result.status === 'retry') return waitFor(retryMs);
    if (result.status === 'refused')
      return stopHere(
        advance,
        failed,
        result.isOutsideFault ? `it could not be rolled back: ${result.reason}` : result.reason,
      );
  }
  const earlier = change.live;
  // Also if the answer was lost and the version is found disabled.
  await notifyLiveChanged(advance);
  await advance.save({ what: 'rolled-back', data: { disabled: version, live: earlier }, intent: null });
  await recordRollBack(
    lane.id,
    {
      disabled: version,
      live: earlier,
      by: workerName,
      via: 'worker',
      reason: failed,
    },
    ports,
  );
  const message = `${failed}; rolled back to ${earlier}`;
  return advance.finish({
    outcome: 'failed',
    message,
    report: { state: 'failure', text: `Rolled back to ${earlier}: ${version} failed, ${step.reason}` },
  });
}

async function stopHere(advance: Advance, failed: string, reason: string): Promise<StepEnd> {
  const message = `${failed}; ${reason}`;
  return advance.finish({
    outcome: 'failed',
    message,
    hold: holdFor(advance, 'failed', message),
    report: { state: 'failure', text: `${message}; the lane is on hold` },
  });
}
