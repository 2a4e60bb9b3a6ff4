import type { Reporting } from '../../../store/reports/reporting.ts';
import type { Records, Timing } from '../../../promotion/context/ports.ts';
import { timeOf } from './time-of.ts';

/** How many promotions GitHub shows in an older state, and for how long. */
export type GitHubLag = Awaited<ReturnType<typeof githubLag>>;

/**
 * Counts the promotions of which GitHub shows an older state, in all repositories, because all share GitHub's limit
 * of writes.
 */
export async function githubLag({ store, clock }: Records<Reporting> & Pick<Timing, 'clock'>) {
  const { count, since } = await store.unsentUpdates();
  const behindSeconds = since === undefined ? 0 : Math.max(0, Math.round((clock.now() - since) / 1_000));
  return { unsentUpdates: count, since: timeOf(since), behindSeconds };
}
