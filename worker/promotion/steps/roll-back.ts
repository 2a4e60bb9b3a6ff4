import { workerName } from '../../../lib/config/operator-schema.ts';
import { listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { liveVersion } from '../../../flows/versions/live-version.ts';
import { notifyLiveChanged } from '../live/notify-live-changed.ts';
import {
  continueNow,
  isCredentialFault,
  isTransient,
  isOutcomeUnknown,
  rethrowUnsent,
  type StepEnd,
  type Advance,
  waitFor,
  messageOf,
} from '../advance.ts';
import { stepLimit } from '../limits.ts';
import { held } from './promote.ts';
import { holdFor } from './outcomes.ts';

/**
 * Disables the version that failed, so that executions use the previous one again (spec §3.3). Only if there is
 * a previous one: otherwise nothing could run. Repeating it does no harm.
 */
export async function rollBack(advance: Advance): Promise<StepEnd> {
  const { promotion, lane, engine } = advance;
  const { step } = promotion;
  if (step.name !== 'roll-back') return continueNow;
  const version = promotion.version ?? '';
  const all = await listArtifacts(lane.to, advance.context);
  const failed = `${version} failed in ${lane.to}: ${step.reason}`;
  const earlier = liveVersion(all.filter(({ versionName }) => versionName !== version))?.versionName;
  if (earlier === undefined) {
    return stopHere(advance, failed, 'there is no earlier enabled version to go back to');
  }
  if (all.find(({ versionName }) => versionName === version)?.enabled === true) {
    if (!(await advance.intend('disable', `${version} in ${lane.to}`))) return held(advance);
    try {
      await advance.client.artifacts.setEnabled(
        { projectId: lane.project, environmentName: lane.to, versionName: version, enabled: false },
        advance.call,
      );
    } catch (error) {
      if (isOutcomeUnknown(error)) await notifyLiveChanged(advance);
      await rethrowUnsent(advance, error);
      await advance.save({ what: 'disable-refused', data: { error: messageOf(error) }, intent: null });
      const passing = isTransient(error) || isOutcomeUnknown(error);
      if (passing && engine.clock.now() - step.since < stepLimit(advance.lane, engine.settings))
        return waitFor(5_000);
      if (passing || isCredentialFault(error))
        return stopHere(advance, failed, `it could not be rolled back: ${messageOf(error)}`);
      return stopHere(advance, failed, messageOf(error));
    }
  }
  // Also where the version is found disabled after the answer was lost.
  await notifyLiveChanged(advance);
  await advance.save({ what: 'rolled-back', data: { disabled: version, live: earlier }, intent: null });
  await engine.store.rolledBack(lane.id, {
    gone: version,
    live: earlier,
    by: workerName,
    via: 'worker',
    reason: failed,
  });
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
