import { listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { liveVersion } from '../../../flows/versions/live-version.ts';
import { RateLimited } from '../../rate-limit/rate-limited.ts';
import type { Advance } from '../advance.ts';

/** Milliseconds until a promotion looks for the answer that another one is reading. */
const answerMs = 300;

/**
 * The version that is live in the target, read after the read with the number `after` was begun. One read serves all
 * promotions that wait for it; under the rate limit they share its place. Throws RateLimited, also while another one
 * reads, and errors of the platform.
 */
export async function readLive(
  { promotion, lane, engine, context }: Advance,
  after: number,
): Promise<string | undefined> {
  const target = { project: lane.project, environment: lane.to };
  const begun = await engine.liveReads.begin(target, { after, by: promotion.id });
  if (begun.status === 'answered') return begun.version;
  if (begun.status === 'waits') throw new RateLimited(answerMs * (0.75 + engine.random() / 2));
  const { rateLimiter } = engine.platformFor(lane.credential);
  try {
    const listed = await rateLimiter.readingFor('live', () => listArtifacts(lane.to, context));
    const live = liveVersion(listed)?.versionName;
    await engine.liveReads.answer(target, begun.number, live);
    return live;
  } catch (error) {
    await engine.liveReads.giveUp(target, begun.number);
    throw error;
  }
}
