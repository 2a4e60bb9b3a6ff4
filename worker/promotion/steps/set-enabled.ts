import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { notifyLiveChanged } from '../live/notify-live-changed.ts';
import { stepLimit } from '../context/limits.ts';
import {
  type Advance,
  isCredentialFault,
  isOutcomeUnknown,
  isTransient,
  rethrowUnsent,
} from '../advance/advance.ts';

/** Milliseconds until a call that failed for a while is sent again. */
export const retryMs = 5_000;

/**
 * What became of enabling or disabling a version. `held`: a hold or a gate came first. `retry`: try again later.
 * `refused`: for good; `isStuck`: the version is not at fault.
 */
export type SetEnabledResult =
  | { readonly status: 'done' | 'held' | 'retry' }
  | { readonly status: 'refused'; readonly reason: string; readonly isStuck: boolean };

/**
 * Enables or disables a version in the lane's target (spec §3.3), with an intent before. The intent stays: the caller
 * reads the list again after a crash, and repeating the call does no harm.
 */
export async function setEnabled(
  advance: Advance,
  {
    version,
    enabled,
    since,
  }: { readonly version: string; readonly enabled: boolean; readonly since: number },
): Promise<SetEnabledResult> {
  const { lane, ports } = advance;
  const effect = enabled ? 'enable' : 'disable';
  if (!(await advance.intend(effect, `${version} in ${lane.to}`))) return { status: 'held' };
  try {
    await advance.client.artifacts.setEnabled(
      { projectId: lane.project, environmentName: lane.to, versionName: version, enabled },
      advance.call,
    );
    return { status: 'done' };
  } catch (error) {
    if (isOutcomeUnknown(error)) await notifyLiveChanged(advance);
    await rethrowUnsent(advance, error);
    const reason = messageOf(error);
    await advance.save({ what: `${effect}-refused`, data: { version, error: reason }, intent: null });
    const isPassing = isTransient(error) || isOutcomeUnknown(error);
    if (isPassing && ports.clock.now() - since < stepLimit(lane, ports.settings)) return { status: 'retry' };
    return { status: 'refused', reason, isStuck: isPassing || isCredentialFault(error) };
  }
}
