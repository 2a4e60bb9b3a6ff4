import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import { messageOf } from '../../../lib/core/errors/message-of.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { Batch } from './writes/batches.ts';
import type { Channel, ChannelContext, Writes } from './channels/channel.ts';
import { checkChannel } from './channels/check-channel.ts';
import { deploymentChannel } from './channels/deployment-channel.ts';
import type { EnvironmentFacts } from './stores/environment-facts.ts';
import type { EnvironmentOrder } from './stores/environment-order.ts';
import { lacksPermission } from './channels/lacks-permission.ts';
import { openWrites, type SendTimes } from './writes/open-writes.ts';
import type { Postponements, RepositoryPostponements } from './stores/postponements.ts';
import type { SentUpdates } from './stores/sent-updates.ts';
import { statusChannel } from './channels/status-channel.ts';
import type { StatusUpdate } from './channels/status-update.ts';

export interface SenderContext extends ChannelContext {
  readonly store: Pick<LaneReads, 'promotion' | 'history'>;
  /** The kind of the gate at which a promotion waits; undefined if it waits at none. */
  readonly gateOf: (promotion: PromotionRecord) => string | undefined;
  readonly postponements: Postponements;
  readonly environmentOf: (repositoryId: number, environment: string) => EnvironmentFacts;
  /** The order in which promotions changed their environments. */
  readonly order: EnvironmentOrder;
}

/** The facts that were read when the sender took the report. */
export interface KnownBefore {
  readonly postponed: RepositoryPostponements;
  readonly sent: SentUpdates;
}

export interface UpdateSender {
  /** Sends by every channel, even if one fails. `again`: send again at once, by another channel. */
  send(
    update: StatusUpdate,
    sending: KnownBefore & { readonly times: SendTimes; readonly batch: Batch },
  ): Promise<{ readonly again: boolean; readonly errors: readonly unknown[] }>;
  /**
   * Milliseconds until a check run or deployment that was begun, and is refused now, is tried again; undefined if
   * nothing is left open. What is refused was not changed by this sender.
   */
  waitForBegun(promotion: PromotionRecord, before: KnownBefore): number | undefined;
}

/**
 * How long a report waits until a person gives access to the repository, or gives back a permission with which a
 * check run or deployment was begun; in milliseconds. What was sent about a promotion is stored for as long.
 */
export const accessWaitMs = 29 * 86_400_000;

const hints = {
  check: 'Give the GitHub App the permission "checks: write" and accept it for the installation.',
  deployment: 'Give the token or the App the permission "deployments: write".',
} as const;

/** Sends an update as a check run or commit status and as a deployment, as far as GitHub permits. */
export function createUpdateSender(context: SenderContext): UpdateSender {
  const { github, store, postponements, clock, logger } = context;
  const status = statusChannel(context);
  const check = checkChannel(context, store, (promotion) => context.gateOf(promotion) === 'approval');
  const deployment = deploymentChannel({
    ...context,
    promotionOf: (id) => store.promotion(id),
    waitsAtGate: (promotion) => context.gateOf(promotion) !== undefined,
  });

  /** Check runs for an App with the permission; otherwise commit statuses. */
  function channelsFor(postponed: RepositoryPostponements): readonly Channel[] {
    const main = github.kind === 'app' && postponed.waitFor('check') === 0 ? check : status;
    return postponed.waitFor('deployment') > 0 ? [main] : [main, deployment];
  }

  async function sendBy(
    channel: Channel,
    update: StatusUpdate,
    { postponed, sent }: KnownBefore,
    writes: Writes,
  ): Promise<'again' | 'sent'> {
    const { promotion } = update;
    const { id: repositoryId, fullName } = promotion.task.repository;
    try {
      await channel.send(update, sent, writes);
      for (const what of [channel.name, 'repository'] as const)
        if (what !== 'status' && postponed.has(what)) await postponements.clear(repositoryId, what);
      return 'sent';
    } catch (error) {
      const { name } = channel;
      if (name === 'status' || !(await lacksPermission(name, repositoryId, error, github))) throw error;
      await postponements.postpone(repositoryId, name);
      logger.warn(
        name === 'check'
          ? 'The GitHub App may not create check runs. The worker writes commit statuses until it may.'
          : 'The worker may not create deployments on GitHub. It creates none until it may.',
        { repository: fullName, error: messageOf(error), hint: hints[name] },
      );
      return 'again';
    }
  }

  return {
    async send(update, { times, batch, ...before }) {
      const writes = openWrites(update.promotion, times, batch, context);
      // At the same time, so that their writes go together.
      const ends = await batch.all(
        channelsFor(before.postponed).map((channel) => () => sendBy(channel, update, before, writes)),
      );
      return {
        again: ends.some((end) => end.status === 'fulfilled' && end.value === 'again'),
        errors: ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : [])),
      };
    },
    waitForBegun({ outcome, endedAt }, { postponed, sent }) {
      if (outcome === undefined || clock.now() - (endedAt ?? 0) > accessWaitMs) return undefined;
      if (postponed.waitFor('check') === 0 && postponed.waitFor('deployment') === 0) return undefined;
      const waits = [
        ...((sent['checkId'] ?? sent['checkNode']) === undefined ? [] : [postponed.waitFor('check')]),
        ...(sent['deploymentId'] === undefined ? [] : [postponed.waitFor('deployment')]),
      ].filter((ms) => ms > 0);
      return waits.length === 0 ? undefined : Math.min(...waits);
    },
  };
}
