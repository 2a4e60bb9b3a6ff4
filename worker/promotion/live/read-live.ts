import { listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { liveVersion } from '../../../flows/versions/live-version.ts';
import { RateLimited } from '../../rate-limit/rate-limited.ts';
import type { Advance } from '../advance/advance.ts';

/** Milliseconds until a promotion looks for the answer that another promotion is reading. */
const answerMs = 300;

/** The version that is live in a target. */
export interface LiveAnswer {
  readonly version: string | undefined;
  /** Resolves when the other promotions that wait have the answer, or may read themselves. Never rejects. */
  readonly shared: Promise<void>;
}

/** A read of the live version that this promotion has begun, or that another one has begun for it. */
export interface LiveRead {
  /** The number of the last read that does not count. */
  readonly after: number;
  /** Throws RateLimited, also while another promotion reads, and errors of the platform. */
  answer(): Promise<LiveAnswer>;
}

/**
 * Begins to read the live version of the target, or uses a read that was begun after the read with the number
 * `after` (by default the last one). All promotions that wait share one read and its place under the rate limit.
 */
export async function beginLiveRead(
  { promotion, lane, ports, context }: Advance,
  after: number | undefined,
): Promise<LiveRead> {
  const target = { project: lane.project, environment: lane.to };
  const begun = await ports.liveReads.begin(target, { after, by: promotion.id });
  return {
    after: begun.after,
    async answer() {
      if (begun.status === 'answered') return { version: begun.version, shared: Promise.resolve() };
      if (begun.status === 'waits') throw new RateLimited(answerMs * (0.75 + ports.random() / 2));
      const { rateLimiter } = ports.platformFor(lane.credential);
      const giveUp = async (): Promise<void> => ports.liveReads.giveUp(target, begun.number);
      try {
        const listed = await rateLimiter.readingFor('live', () => listArtifacts(lane.to, context));
        const version = liveVersion(listed)?.versionName;
        const shared = ports.liveReads
          .answer(target, begun.number, version)
          .catch(giveUp)
          // The others wait no longer than for a worker that was killed.
          .catch(() => undefined);
        return { version, shared };
      } catch (error) {
        await giveUp();
        throw error;
      }
    },
  };
}
