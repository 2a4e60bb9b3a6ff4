import { workerName } from '../../../lib/config/worker/operator-schema.ts';
import { changeToMakeLive } from '../../../flows/versions/change-live.ts';
import type { ArtifactVersion } from '../../../flows/versions/find-artifact.ts';
import { recordRollBack } from '../decisions/record-roll-back.ts';
import { notifyLiveChanged } from '../live/notify-live-changed.ts';
import { type Advance, type StepEnd, waitFor } from '../advance/advance.ts';
import { describeChanges } from './describe-changes.ts';
import { finishWithError } from './outcomes.ts';
import { waitWhileBlocked } from '../advance/wait-at-gate.ts';
import { retryMs, setEnabled } from './set-enabled.ts';

/**
 * Makes a version live that the target already has, because an operator requested it: enables it, and disables
 * newer versions. Then `conclude` ends the step, and the version is verified as usual. Repeating it does no harm.
 */
export async function makeLive(
  advance: Advance,
  versions: readonly ArtifactVersion[],
  conclude: (advance: Advance, what: string) => Promise<StepEnd>,
): Promise<StepEnd> {
  const { promotion, lane } = advance;
  const { step, version = '' } = promotion;
  const change = changeToMakeLive(versions, version);
  if (change === undefined) {
    const message = `${version} is no longer in ${lane.to}: resume the lane, then promote ${version} again`;
    return finishWithError(advance, message);
  }
  // The list shows what became of the last effect. While the lane is held, no further one would end this promotion.
  if (promotion.cancel !== undefined) {
    await advance.save({ what: '', intent: null });
    const message = `${promotion.cancel}${await describeChanges(advance)}`;
    return advance.finish({ outcome: 'cancelled', message, report: { state: 'error', text: message } });
  }
  const effects = [
    ...(change.enable ? [{ name: version, enabled: true }] : []),
    ...change.disable.map((name) => ({ name, enabled: false })),
  ];
  for (const { name, enabled } of effects) {
    const result = await setEnabled(advance, { version: name, enabled, since: step.since });
    if (result.status === 'blocked') return waitWhileBlocked(advance);
    if (result.status === 'retry') return waitFor(retryMs);
    if (result.status === 'refused') {
      const changes = await describeChanges(advance);
      const message = `${version} could not be made live in ${lane.to}: ${result.reason}${changes}`;
      if (result.isOutsideFault) return finishWithError(advance, message);
      return advance.finish({ outcome: 'failed', message, report: { state: 'failure', text: message } });
    }
    if (!enabled) await recordDisabled(advance, name);
  }
  await notifyLiveChanged(advance, version);
  return conclude(advance, 'made-live');
}

/** A worker may be killed after it disabled a version and before it recorded that: the next one records it. */
export async function recordInterrupted(
  advance: Advance,
  versions: readonly ArtifactVersion[],
): Promise<void> {
  const { intent } = advance.promotion;
  if (intent?.effect !== 'disable') return;
  const artifact = versions.find(({ versionName }) => intent.what === `${versionName} in ${advance.lane.to}`);
  if (artifact?.enabled === false) await recordDisabled(advance, artifact.versionName);
}

/** The audit names the operator already, with the request. */
async function recordDisabled({ promotion, lane, ports }: Advance, disabled: string): Promise<void> {
  const { task, version = '' } = promotion;
  const { by = workerName, reason = '' } = task.request ?? {};
  await recordRollBack(lane.id, { disabled, live: version, by, via: 'worker', reason }, ports);
}
