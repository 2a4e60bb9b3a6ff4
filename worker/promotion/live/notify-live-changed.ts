import type { Advance } from '../advance.ts';
import { messageOf } from '../advance.ts';

/**
 * The turn has changed what is in its target, or may have: what is live is asked again at once. A Redis that refuses
 * this changes nothing about the promotion: the environment is asked again when its time comes. `brought`: the version that came.
 */
export async function notifyLiveChanged({ lane, engine }: Advance, brought?: string): Promise<void> {
  const by = brought === undefined ? undefined : { lane: lane.id, version: brought };
  try {
    await engine.live.changed({ project: lane.project, environment: lane.to }, by);
  } catch (error) {
    engine.logger.warn('A change of what is live could not be written down.', { error: messageOf(error) });
  }
}
