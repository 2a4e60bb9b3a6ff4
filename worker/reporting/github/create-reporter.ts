import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { Reporting } from '../../store/reports/reporting.ts';
import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Random } from '../../../lib/core/ports/ports.ts';
import { failureDetails } from '../../../lib/github/access/failure-details.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { FailureLog } from '../../telemetry/failure-log.ts';
import { type Batch, createBatches } from './writes/batches.ts';
import { NotYet } from './channels/channel.ts';
import { repositoryCauses } from './writes/repository-causes.ts';
import { accessWaitMs, createUpdateSender, type SenderContext } from './send-update.ts';
import type { StatusUpdate } from './channels/status-update.ts';

/**
 * HTTP status codes of a write that GitHub will never accept: the commit does not exist, or one context has too many
 * commit statuses. A 403 or 404 may be temporary.
 */
const permanentErrors = new Set([410, 422]);

/** Longest delay between two attempts to report an end. */
const maxRetryMs = 300_000;

export interface ReporterContext extends SenderContext {
  readonly store: Pick<LaneReads, 'promotion' | 'history'> &
    Pick<Reporting, 'takeReport' | 'returnReport' | 'close' | 'noteReport'>;
  readonly random: Random;
  /** Milliseconds for which a report about an end is retried. */
  readonly reportForMs: number;
  /** Shortest delay in milliseconds until a report that failed is tried again; at random up to three times as long. */
  readonly reportRetryMs: number;
  /**
   * Milliseconds for which one sender has a report. A write begins only in the first half, so that it ends in
   * time.
   */
  readonly leaseMs: number;
  readonly failures: FailureLog;
  /** Called for every promotion before GitHub gets the update. */
  readonly onStatusUpdate: (promotion: PromotionRecord) => Promise<void>;
  /** Adds the job of a state, unless it is there. */
  readonly addJob: (promotionId: string, seq: number) => Promise<void>;
}

/**
 * Reports the newest state of a promotion to GitHub. Returns the milliseconds until the next attempt; undefined if
 * everything is sent, or if the job for a newer state will do it. `seq`: the state for which the job was added;
 * undefined for a job of an older worker.
 */
export type Reporter = (promotionId: string, seq?: number) => Promise<number | undefined>;

/**
 * Creates the reporter of promotions to GitHub. It sends the latest state and leaves out states in between. The end
 * of a promotion is reported once, and retried for a day.
 */
export function createReporter(context: ReporterContext): Reporter {
  const { github, store, postponements, clock, random, leaseMs } = context;
  const sender = createUpdateSender(context);
  const batches = createBatches(context);
  const names = createCurrentNames(github);
  const releaseReport = createRelease(context);
  const handleFailure = createFailureHandler(context, names, releaseReport);

  /** The report stays open. Jitter, so that a thousand promotions do not come back at once. */
  async function retryAfter({ promotion }: StatusUpdate, ms: number, lease: number): Promise<number> {
    if ((await releaseReport(promotion.id, undefined, lease)) === 'late') return 300;
    return Math.round(ms * (1 + random() / 4));
  }

  async function report(promotionId: string, seq: number | undefined, batch: Batch) {
    const begun = clock.now();
    const lease = begun + leaseMs;
    const taken = await store.takeReport(promotionId, lease);
    if (taken.status === 'busy') return 1_000;
    if (taken.status !== 'send') {
      await store.close(promotionId);
      return undefined;
    }
    const { promotion } = taken;
    await context.onStatusUpdate(promotion);
    const update: StatusUpdate = {
      promotion: names.apply(promotion),
      seq: taken.seq,
      state: taken.state,
      text: taken.text,
    };
    const { sent } = taken;
    const postponed = postponements.parse(taken.postponed);
    const offMs = postponed.waitFor('repository');
    if (offMs > 0) return retryAfter(update, offMs, lease);
    const times = { until: begun + leaseMs / 2, leaseUntil: lease };
    const { again, errors } = await sender.send(update, { times, postponed, sent, batch });
    if (errors.length > 0) {
      const againMs = await handleFailure(update, errors, lease);
      if (againMs === undefined || seq === undefined || seq >= promotion.report.seq) return againMs;
      await context.addJob(promotionId, promotion.report.seq);
      return undefined;
    }
    context.failures.worked(workOf(promotionId));
    const waitMs = again ? 10 : sender.waitForBegun(promotion, { postponed, sent });
    if (waitMs !== undefined) return retryAfter(update, waitMs, lease);
    const left = await releaseReport(promotionId, taken.seq, lease, promotion.plan?.digest);
    return left === 'done' ? undefined : 300;
  }

  return async (promotionId, seq) =>
    batches.lead(
      promotionId,
      (id, batch) => report(id, seq, batch),
      (id, batch) => report(id, undefined, batch),
    );
}

/** Gives a report back; `sent`: the update that GitHub got last; `plan`: the digest of the plan that it shows. */
type ReleaseReport = (
  promotion: string,
  sent: string | undefined,
  lease: number,
  plan?: string,
) => Promise<Awaited<ReturnType<Reporting['returnReport']>>>;

/**
 * A sender that was frozen may have sent something old last. Then the reporter reads what GitHub shows and
 * sends again what differs.
 */
function createRelease({ store, records, logger }: ReporterContext): ReleaseReport {
  return async (promotion, sent, lease, plan) => {
    const left = await store.returnReport(promotion, sent, lease, plan);
    if (left === 'late') {
      logger.warn('Sending a report to GitHub took too long, so the report is sent again.', {
        promotion_id: promotion,
      });
      await records.invalidate(promotion);
    }
    return left;
  };
}

/** Current names of repositories, for reports that failed under the name in the promotion's task. */
interface CurrentNames {
  apply(promotion: PromotionRecord): PromotionRecord;
  /** Reads the name from GitHub, which redirects requests under an old name; no redirect is followed. */
  refresh(repositoryId: number): Promise<'visible' | 'invisible'>;
}

function createCurrentNames(github: GitHubPort): CurrentNames {
  const names = new Map<number, string>();
  return {
    apply(promotion) {
      const { repository } = promotion.task;
      const fullName = names.get(repository.id) ?? repository.fullName;
      return { ...promotion, task: { ...promotion.task, repository: { ...repository, fullName } } };
    },
    async refresh(id) {
      const repository = await github.repository(id).catch(() => undefined);
      if (repository !== undefined) names.set(id, repository.fullName);
      return repository === undefined ? 'invisible' : 'visible';
    },
  };
}

/** Decides whether a report that failed is given up, and otherwise when it is tried again. */
function createFailureHandler(
  { store, postponements, clock, logger, failures, random, reportForMs, reportRetryMs }: ReporterContext,
  names: CurrentNames,
  releaseReport: ReleaseReport,
) {
  /**
   * If nothing about the repository works, its other reports need not try: the App is suspended or removed, or the
   * repository no longer exists for it. Returns the milliseconds until the next attempt.
   */
  async function postponeRepository(repositoryId: number, error: unknown): Promise<number> {
    if (!(error instanceof Failure)) return 0;
    const { cause } = failureDetails(error);
    if (repositoryCauses.has(cause)) return postponements.postpone(repositoryId, 'repository');
    const visibility = await names.refresh(repositoryId);
    return cause === 'not-found' && visibility === 'invisible'
      ? postponements.postpone(repositoryId, 'repository')
      : 0;
  }

  return async (
    { promotion, seq }: StatusUpdate,
    errors: readonly unknown[],
    lease: number,
  ): Promise<number | undefined> => {
    const error = errors.find((candidate) => !isPermanent(candidate)) ?? errors[0];
    const age = clock.now() - (promotion.endedAt ?? clock.now());
    const offMs = await postponeRepository(promotion.task.repository.id, error);
    const givenUp = age > (offMs > 0 ? accessWaitMs : reportForMs) || isPermanent(error);
    if ((await releaseReport(promotion.id, givenUp ? seq : undefined, lease)) === 'late') return 300;
    if (givenUp) {
      await store.noteReport(promotion.id, 'report-given-up', messageOf(error));
      await store.close(promotion.id);
    }
    if (error instanceof NotYet && !givenUp) {
      return Math.round(error.ms + 200 * random());
    }
    if (!(error instanceof NotYet) && !(error instanceof Failure)) throw error;
    const fields = {
      promotion_id: promotion.id,
      error: messageOf(error),
      ...(error instanceof Failure ? { hint: error.hint } : {}),
    };
    if (givenUp) logger.warn('A report to GitHub was given up.', fields);
    else failures.failed(workOf(promotion.id), 'A report to GitHub failed.', fields);
    // Jitter, so that a thousand promotions do not come back at once.
    const ms = reportRetryMs * (1 + 2 * random()) + Math.min(age / 10, maxRetryMs);
    return givenUp ? undefined : Math.round(Math.max(ms, offMs * (1 + random() / 4)));
  };
}

const workOf = (promotionId: string): string => `report ${promotionId}`;

function isPermanent(error: unknown): boolean {
  const { status } = failureDetails(error);
  return status !== undefined && permanentErrors.has(status);
}
