import { messageOf } from '../../../lib/core/errors/message-of.ts';
import type { Advance } from '../advance/advance.ts';

/**
 * Records that this advance changed its target, or may have, so that the live version is polled again at once.
 * Never throws: if Redis refuses it, the environment is polled at its usual time. `brought`: the version that was
 * promoted.
 */
export async function notifyLiveChanged({ lane, ports }: Advance, brought?: string): Promise<void> {
  const by = brought === undefined ? undefined : { lane: lane.id, version: brought };
  try {
    await ports.live.changed({ project: lane.project, environment: lane.to }, by);
  } catch (error) {
    ports.logger.warn('Recording a change of the live version failed.', { error: messageOf(error) });
  }
}
