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
 * The result of enabling or disabling a version. `blocked`: a hold or a gate prevents it now. `retry`: it failed, and may succeed later. `refused`: it failed for good; `isOutsideFault`: not because of the version.
 */
export type SetEnabledResult =
  | { readonly status: 'done' | 'blocked' | 'retry' }
  | { readonly status: 'refused'; readonly reason: string; readonly isOutsideFault: boolean };

/**
 * Enables or disables a version in the lane's target (spec §3.3), after recording the intent. The intent stays in
 * the record: after a crash, the caller reads the versions again, and repeating the call does no harm.
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
  if (!(await advance.intend(effect, `${version} in ${lane.to}`))) return { status: 'blocked' };
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
    return { status: 'refused', reason, isOutsideFault: isPassing || isCredentialFault(error) };
  }
}
