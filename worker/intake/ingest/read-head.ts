import { includesPush, headDelay, type HeadWait } from '../../../flows/push/await-head.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { GitHubRepository } from '../../../lib/github/endpoints/repositories.ts';
import type { IngestResult } from '../../records/ingest-result.ts';
import type { PushEvent } from '../../records/push-event.ts';
import type { Policy, Telemetry, Timing } from '../../promotion/context/ports.ts';
import type { ReportRefusal } from '../../reporting/github/report-refusal.ts';
import type { EarlyReads } from './early-reads.ts';
import { headState } from './head-state.ts';
import type { IngestOrder } from './ingest-order.ts';
import { type MatchContext, matchPush } from './match-push.ts';
import type { RefChain } from './ref-chain.ts';

interface ReadHeadContext extends MatchContext {
  readonly ports: Timing & Pick<Policy, 'settings'> & Pick<Telemetry, 'logger'>;
  readonly order: IngestOrder;
  readonly chain: Pick<RefChain, 'lastOf'>;
  readonly reportRefusal: ReportRefusal;
}

/**
 * Reads the commit at a pushed ref from GitHub. GitHub's replicas lag: if it does not show the pushed commit or a
 * descendant yet, or shows a commit that the ref has left or may have left, the result is that the push must be
 * tried again, for some minutes. After that the push starts nothing, and its commit shows why; a sweep finds it if
 * GitHub shows it later. `early`: what Redis knew just before; the caller checks it again before the push is
 * accepted. Throws errors of GitHub.
 */
export async function readHead(
  event: PushEvent,
  repository: GitHubRepository,
  early: EarlyReads | undefined,
  context: ReadHeadContext,
): Promise<string | IngestResult> {
  const { github, order, ports } = context;
  const { after, headCommit: pushed = after, ref } = event;
  const head = await github.head(repository.fullName, ref);
  const includes =
    head !== undefined &&
    (head === pushed || includesPush(await github.relation(repository.fullName, pushed, head)));
  const state = includes
    ? await headState(head, event, repository, {
        ...context,
        order: early === undefined ? order : { ...order, departedAt: async () => early.departedAt },
      })
    : undefined;
  if (includes && state === 'current') return head;

  const departedAt = await order.departedAt(event);
  const isOvertaken = state === 'left' || departedAt !== undefined;
  // No other push needs to wait for one that a later push has undone.
  if (isOvertaken) await order.leave(event);
  const now = ports.clock.now();
  const { since, reads } = event.waits?.head ?? { since: now, reads: 0 };
  const delay =
    state === 'doubtful'
      ? doubtDelay({ since, reads }, departedAt, ports)
      : headDelay({ since, reads }, now, ports.settings.headWaitMs);
  // No replica lags for so long.
  if (includes && state === 'doubtful' && delay === undefined) return head;
  if (delay !== undefined) {
    const waited = { since, reads: reads + 1 };
    const text =
      state === 'doubtful'
        ? `waits: GitHub shows that ${ref} is back at ${shortId(pushed)}; this answer may be out of date`
        : `waits until GitHub shows ${ref} at ${shortId(pushed)}; it shows ${describe(head)}`;
    const ms = delay * (0.75 + ports.random() / 2);
    return { status: 'waits', text, ms, event: { ...event, waits: { ...event.waits, head: waited } } };
  }
  if (isOvertaken) {
    const text = `a later push moved ${ref} from ${shortId(pushed)} to ${describe(head)}`;
    return { status: 'done', text, noPromotion: 'overtaken' };
  }
  const minutes = Math.max(1, Math.round(ports.settings.headWaitMs / 60_000));
  const text = `${notShown(ref, pushed)} within ${minutes} min, but ${describe(head)}; nothing was promoted`;
  if (await startsLanes(pushed, event, repository, context)) {
    // No other push needs to wait until GitHub accepts the report.
    await order.leave(event);
    await context.reportRefusal(repository, pushed, text);
  }
  ports.logger.warn('GitHub did not show a push in time.', {
    delivery_id: event.delivery,
    repository: repository.fullName,
    ref,
    commit: pushed,
    head,
  });
  return { status: 'done', text, noPromotion: 'ref-not-shown' };
}

/** Whether a push has waited the maximum time for a head that is not doubtful. */
export async function isHeadWaitOver(
  event: PushEvent,
  { order, ports }: Pick<ReadHeadContext, 'order' | 'ports'>,
): Promise<boolean> {
  const wait = event.waits?.head;
  return wait !== undefined && doubtDelay(wait, await order.departedAt(event), ports) === undefined;
}

/**
 * A replica that shows a commit that the ref has left lags since the ref left it, not since the push was first read.
 */
function doubtDelay(
  { since, reads }: HeadWait,
  departedAt: number | undefined,
  { clock, settings }: Pick<Policy, 'settings'> & Pick<Timing, 'clock'>,
): number | undefined {
  const doubtfulSince = Math.max(since, departedAt ?? 0);
  return headDelay({ since: doubtfulSince, reads }, clock.now(), settings.headWaitMs);
}

/** The start of the text that says that GitHub does not show a push. */
export const notShown = (ref: string, pushed: string): string =>
  `GitHub did not show ${ref} at ${shortId(pushed)}`;

const shortId = (commit: string): string => commit.slice(0, 12);

const describe = (head: string | undefined): string =>
  head === undefined ? 'that it does not exist' : `${shortId(head)} there`;

/** Whether the push would have started lanes: then its pusher waits for it. Unknown if GitHub does not show its commit. */
async function startsLanes(
  pushed: string,
  event: PushEvent,
  repository: GitHubRepository,
  context: ReadHeadContext,
): Promise<boolean> {
  try {
    const { matched = [], refusal } = await matchPush(event, repository, pushed, context);
    return matched.length > 0 || refusal !== undefined;
  } catch (error) {
    if (error instanceof Failure && error.details['status'] === undefined) return false;
    throw error;
  }
}
