import { Failure } from '../../../lib/core/failure.ts';
import type { Random } from '../../../lib/core/ports.ts';
import { failureDetails } from '../../../lib/github/failure-details.ts';
import type { RefusalCause } from '../../../lib/github/refusal-cause.ts';
import type { LaneStore } from '../../store/lane-store.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { messageOf } from '../../promotion/advance.ts';
import { type Channel, type ChannelContext, NotYet, openWrites } from './channel.ts';
import { checkChannel } from './check-channel.ts';
import { deploymentChannel } from './deployment-channel.ts';
import type { EnvironmentFacts } from './environment-facts.ts';
import type { EnvironmentOrder } from './environment-order.ts';
import { lacksPermission } from './lacks-permission.ts';
import type { Postponements, RepositoryPostponements } from './postponements.ts';
import { statusChannel } from './status-channel.ts';
import type { StatusUpdate } from './status-update.ts';

/** Statuses by which GitHub refuses for good: no such commit, too many statuses of one context. A 404 may pass. */
const permanentErrors = new Set([410, 422]);

/** Causes that concern everything about a repository, until a person has changed something. */
const repositoryCauses: ReadonlySet<RefusalCause> = new Set([
  'suspended',
  'not-installed',
  'token',
  'key',
  'clock',
]);

/**
 * Milliseconds for which a report waits for a person: for access to the repository, or for a permission that was there
 * when its check run or deployment began. What was sent about a promotion is known for as long.
 */
const accessWaitMs = 29 * 86_400_000;

/** Longest delay between two attempts to report an end. */
const maxRetryMs = 300_000;

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
  /** The kind of the gate at which a promotion waits; undefined if it waits at none. */
  readonly gateOf: (promotion: PromotionRecord) => string | undefined;
  readonly postponements: Postponements;
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
  const { github, store, records, postponements, clock, logger, random, reportForMs, leaseMs } = context;
  const status = statusChannel(context);
  const check = checkChannel(context, store, (promotion) => context.gateOf(promotion) === 'approval');
  const deployment = deploymentChannel({
    ...context,
    promotionOf: (id) => store.promotion(id),
    waitsAtGate: (promotion) => context.gateOf(promotion) !== undefined,
  });

  /** Current names of repositories, for reports that failed under the name in the promotion's plan. */
  const names = new Map<number, string>();

  function withCurrentName(promotion: PromotionRecord): PromotionRecord {
    const { repository } = promotion.plan;
    const fullName = names.get(repository.id) ?? repository.fullName;
    return { ...promotion, plan: { ...promotion.plan, repository: { ...repository, fullName } } };
  }

  /** Check runs for an App with the permission; otherwise commit statuses. */
  function channelsFor(postponed: RepositoryPostponements): readonly Channel[] {
    const main = github.kind === 'app' && postponed.waitFor('check') === 0 ? check : status;
    return postponed.waitFor('deployment') > 0 ? [main] : [main, deployment];
  }

  /** Milliseconds until what was begun and is refused now is tried again; undefined if nothing is left open. */
  async function waitForBegun(
    { id, outcome, endedAt }: PromotionRecord,
    postponed: RepositoryPostponements,
  ): Promise<number | undefined> {
    if (outcome === undefined || clock.now() - (endedAt ?? 0) > accessWaitMs) return undefined;
    const sent = await records.read(id);
    const waits = [
      ...(sent['checkId'] === undefined ? [] : [postponed.waitFor('check')]),
      ...(sent['deploymentId'] === undefined ? [] : [postponed.waitFor('deployment')]),
    ].filter((ms) => ms > 0);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** `again`: by another channel, at once. */
  async function sendTo(
    channel: Channel,
    update: StatusUpdate,
    times: SendTimes,
    postponed: RepositoryPostponements,
  ): Promise<'again' | 'sent'> {
    const { promotion } = update;
    const { id: repositoryId, fullName } = promotion.plan.repository;
    try {
      await channel.send(update, await records.read(promotion.id), openWrites(promotion, times, context));
      for (const what of [channel.name, 'repository'] as const)
        if (what !== 'status' && postponed.has(what)) await postponements.clear(repositoryId, what);
      return 'sent';
    } catch (error) {
      const { name } = channel;
      if (name === 'status' || !(await lacksPermission(name, repositoryId, error, github))) throw error;
      await postponements.postpone(repositoryId, name);
      logger.warn(
        name === 'check'
          ? 'The App may not create check runs; commit statuses are used until it may.'
          : 'The worker may not create deployments; none are created until it may.',
        { repository: fullName, error: messageOf(error), hint: hints[name] },
      );
      return 'again';
    }
  }

  /** Sends by every channel, also if one fails; `again`: one channel was replaced by another. */
  async function sendAll(
    update: StatusUpdate,
    times: SendTimes,
    postponed: RepositoryPostponements,
  ): Promise<{ readonly again: boolean; readonly errors: readonly unknown[] }> {
    const errors: unknown[] = [];
    let again = false;
    for (const channel of channelsFor(postponed)) {
      try {
        if ((await sendTo(channel, update, times, postponed)) === 'again') again = true;
      } catch (error) {
        errors.push(error);
        if (repositoryCauses.has(failureDetails(error).cause)) break;
      }
    }
    return { again, errors };
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
    const postponed = await postponements.read(promotion.plan.repository.id);
    const offMs = postponed.waitFor('repository');
    if (offMs > 0) return retryAfter(update, offMs, lease);
    const times = { until: begun + leaseMs / 2, leaseUntil: lease };
    const { again, errors } = await sendAll(update, times, postponed);
    if (errors.length > 0) return handleFailure(update, errors, lease);
    const waitMs = again ? 10 : await waitForBegun(promotion, postponed);
    if (waitMs !== undefined) return retryAfter(update, waitMs, lease);
    if ((await releaseReport(promotionId, taken.seq, lease)) !== 'done') return 300;
    await store.close(promotionId);
    return undefined;
  };

  /** The report stays open. Jitter, so that a thousand promotions do not come back at once. */
  async function retryAfter({ promotion }: StatusUpdate, ms: number, lease: number): Promise<number> {
    if ((await releaseReport(promotion.id, undefined, lease)) === 'late') return 300;
    return Math.round(ms * (1 + random() / 4));
  }

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
    errors: readonly unknown[],
    lease: number,
  ): Promise<number | undefined> {
    const error = errors.find((one) => !isPermanent(one)) ?? errors[0];
    const age = clock.now() - (promotion.endedAt ?? clock.now());
    const offMs = await postponeRepository(promotion.plan.repository.id, error);
    const givenUp = age > (offMs > 0 ? accessWaitMs : reportForMs) || isPermanent(error);
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
    logger.warn('A report to GitHub failed.', {
      promotion_id: promotion.id,
      error: messageOf(error),
      ...(error instanceof Failure ? { hint: error.hint } : {}),
      given_up: givenUp,
    });
    // Jitter, so that a thousand promotions do not come back at once.
    const ms = 5_000 + 10_000 * random() + Math.min(age / 10, maxRetryMs);
    return givenUp ? undefined : Math.round(Math.max(ms, offMs * (1 + random() / 4)));
  }

  /**
   * If nothing about the repository works, its other reports need not try: the App is suspended or removed, or the
   * repository is gone for it. Returns the milliseconds until the next attempt.
   */
  async function postponeRepository(repositoryId: number, error: unknown): Promise<number> {
    if (!(error instanceof Failure)) return 0;
    const { cause } = failureDetails(error);
    if (repositoryCauses.has(cause)) return postponements.postpone(repositoryId, 'repository');
    const isVisible = await refreshName(repositoryId);
    return cause === 'not-found' && !isVisible ? postponements.postpone(repositoryId, 'repository') : 0;
  }

  /** GitHub redirects requests under an old name, and no redirect is followed. */
  async function refreshName(id: number): Promise<boolean> {
    const found = await github.repository(id).catch(() => undefined);
    if (found !== undefined) names.set(id, found.fullName);
    return found !== undefined;
  }
}

function isPermanent(error: unknown): boolean {
  const { status } = failureDetails(error);
  return status !== undefined && permanentErrors.has(status);
}

interface SendTimes {
  readonly until: number;
  readonly leaseUntil: number;
}

const hints = {
  check: 'Give the GitHub App the permission "checks: write" and accept it for the installation.',
  deployment: 'Give the token or the App the permission "deployments: write".',
} as const;
