import { Failure } from '../../../lib/core/failure.ts';
import type { Random } from '../../../lib/core/ports.ts';
import { failureDetails } from '../../../lib/github/failure-details.ts';
import type { LaneStore } from '../../store/lane-store.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { messageOf } from '../../promotion/advance.ts';
import { type Channel, type ChannelContext, NotYet, openWrites } from './channel.ts';
import { checkChannel } from './check-channel.ts';
import { deploymentChannel } from './deployment-channel.ts';
import type { EnvironmentFacts } from './environment-facts.ts';
import type { EnvironmentOrder } from './environment-order.ts';
import { statusChannel } from './status-channel.ts';
import type { StatusUpdate } from './status-update.ts';

/** Statuses by which GitHub refuses for good: no such commit, too many statuses of one context. */
const permanentErrors = new Set([404, 410, 422]);

/** Statuses by which GitHub reports a missing permission. */
const permissionErrors = new Set([403, 404]);

export interface ReporterContext extends ChannelContext {
  readonly store: Pick<
    LaneStore,
    'promotion' | 'history' | 'takeReport' | 'returnReport' | 'close' | 'noteReport'
  >;
  readonly random: Random;
  /** Milliseconds for which a report about an end is retried. */
  readonly reportForMs: number;
  /**
   * Milliseconds for which one sender has a report. A write begins only in the first half, so that it ends in
   * time.
   */
  readonly leaseMs: number;
  /** Called for every promotion before GitHub gets the update. */
  readonly onStatusUpdate: (promotion: PromotionRecord) => Promise<void>;
  /** Whether a promotion waits at a blocking gate. */
  readonly waitsAtGate: (promotion: PromotionRecord) => boolean;
  readonly environmentOf: (repositoryId: number, environment: string) => EnvironmentFacts;
  /** The order in which promotions changed their environments. */
  readonly order: EnvironmentOrder;
}

/**
 * Reports a promotion to GitHub. Returns the milliseconds until the next attempt; undefined if everything is
 * sent.
 */
export type Reporter = (promotionId: string) => Promise<number | undefined>;

/**
 * Creates the reporter of promotions to GitHub. The latest state wins: states in between are left out. An end
 * is reported once, and retried for a day.
 */
export function createReporter(context: ReporterContext): Reporter {
  const { github, store, records, clock, logger, random, reportForMs, leaseMs } = context;
  const status = statusChannel(context);
  const check = checkChannel(context, store);
  const deployment = deploymentChannel({ ...context, promotionOf: (id) => store.promotion(id) });

  const disabledKey = (channel: Channel, repositoryId: number): string => `${channel.name}:${repositoryId}`;

  /** Current names of repositories, for reports that failed under the name in the promotion's plan. */
  const names = new Map<number, string>();

  function withCurrentName(promotion: PromotionRecord): PromotionRecord {
    const { repository } = promotion.plan;
    const fullName = names.get(repository.id) ?? repository.fullName;
    return { ...promotion, plan: { ...promotion.plan, repository: { ...repository, fullName } } };
  }

  /** Check runs for an App with the permission; otherwise commit statuses. */
  async function channelsFor(repositoryId: number): Promise<readonly Channel[]> {
    const isDisabled = async (channel: Channel) => records.isDisabled(disabledKey(channel, repositoryId));
    const main = github.kind === 'app' && !(await isDisabled(check)) ? check : status;
    return (await isDisabled(deployment)) ? [main] : [main, deployment];
  }

  /** Undefined once it is sent. */
  async function sendTo(
    channel: Channel,
    update: StatusUpdate,
    times: SendTimes,
  ): Promise<'again' | undefined> {
    const { promotion } = update;
    try {
      await channel.send(update, await records.read(promotion.id), openWrites(promotion, times, context));
      return undefined;
    } catch (error) {
      const { status: code } = failureDetails(error);
      if (channel === status || code === undefined || !permissionErrors.has(code)) throw error;
      await records.disable(disabledKey(channel, promotion.plan.repository.id));
      logger.warn(
        channel === check
          ? 'The App may not create check runs; commit statuses are used for an hour.'
          : 'The worker may not create deployments; none are created for an hour.',
        {
          repository: promotion.plan.repository.fullName,
          error: messageOf(error),
          hint: channel === check ? hints.check : hints.deployment,
        },
      );
      return channel === check ? 'again' : undefined;
    }
  }

  return async (promotionId) => {
    const begun = clock.now();
    const lease = begun + leaseMs;
    const taken = await store.takeReport(promotionId, lease);
    if (taken.status === 'busy') return 1_000;
    // Read after the report was taken: it is never older than the update that is sent.
    const promotion = await store.promotion(promotionId);
    if (promotion === undefined) return undefined;
    if (taken.status !== 'send') {
      await store.close(promotionId);
      return undefined;
    }
    // It advanced in between: an end must not be sent with the text of an earlier state.
    if (String(promotion.report.seq) !== taken.seq) {
      await releaseReport(promotionId, undefined, lease);
      return 10;
    }
    await context.onStatusUpdate(promotion);
    const update: StatusUpdate = {
      promotion: withCurrentName(promotion),
      seq: taken.seq,
      state: taken.state,
      text: taken.text,
    };
    try {
      for (const channel of await channelsFor(promotion.plan.repository.id)) {
        if ((await sendTo(channel, update, { until: begun + leaseMs / 2, leaseUntil: lease })) === 'again') {
          await releaseReport(promotionId, undefined, lease);
          return 10;
        }
      }
    } catch (error) {
      return handleFailure(update, error, lease);
    }
    if ((await releaseReport(promotionId, taken.seq, lease)) !== 'done') return 300;
    await store.close(promotionId);
    return undefined;
  };

  /**
   * A sender that was frozen may have sent something old last. Then the reporter reads what GitHub shows and
   * sends again what differs.
   */
  async function releaseReport(promotion: string, sent: string | undefined, lease: number) {
    const left = await store.returnReport(promotion, sent, lease);
    if (left === 'late') {
      logger.warn('A report exceeded its lease and is sent again.', { promotion_id: promotion });
      await records.invalidate(promotion);
    }
    return left;
  }

  async function handleFailure(
    { promotion, seq }: StatusUpdate,
    error: unknown,
    lease: number,
  ): Promise<number | undefined> {
    const age = clock.now() - (promotion.endedAt ?? clock.now());
    const code = failureDetails(error).status;
    const tooOld = age > reportForMs;
    const givenUp = tooOld || (code !== undefined && permanentErrors.has(code));
    if ((await releaseReport(promotion.id, givenUp ? seq : undefined, lease)) === 'late') return 300;
    if (givenUp) {
      await store.noteReport(promotion.id, 'report-given-up', messageOf(error));
      await store.close(promotion.id);
    }
    if (error instanceof NotYet && !givenUp) {
      // Ends retry soon; progress updates leave them room.
      return Math.round(error.ms + (promotion.outcome === undefined ? 2_000 : 200) * random());
    }
    if (!(error instanceof NotYet) && !(error instanceof Failure)) throw error;
    if (!(error instanceof NotYet)) await refreshName(promotion.plan.repository.id);
    logger.warn('A report to GitHub failed.', {
      promotion_id: promotion.id,
      error: messageOf(error),
      ...(error instanceof Failure ? { hint: error.hint } : {}),
      given_up: givenUp,
    });
    // Jitter, so that a thousand promotions do not come back at once.
    return givenUp ? undefined : Math.round(5_000 + 10_000 * random() + Math.min(age / 10, 60_000));
  }
  /** GitHub redirects requests under an old name, and no redirect is followed. */
  async function refreshName(id: number): Promise<void> {
    const found = await github.repository(id).catch(() => undefined);
    if (found !== undefined) names.set(id, found.fullName);
  }
}

interface SendTimes {
  readonly until: number;
  readonly leaseUntil: number;
}

const hints = {
  check: 'Give the GitHub App the permission "checks: write" and accept it for the installation.',
  deployment: 'Give the token or the App the permission "deployments: write".',
} as const;
