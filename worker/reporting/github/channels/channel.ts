import type { Clock, Logger } from '../../../../lib/core/ports/ports.ts';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import type { BatchedWrite } from '../../../../lib/github/batches/write-batches.ts';
import type { WriteBudget } from '../../../rate-limit/write-budget.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import type { ReportRecords, SentUpdates } from '../stores/sent-updates.ts';
import type { StatusUpdate } from './status-update.ts';

/** Thrown if a write must be tried again later, because the write budget or the sender's lease is used up. */
export class NotYet extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super(`Retry in ${ms} ms.`);
    this.ms = ms;
  }
}

/** A form in which GitHub shows a promotion: a commit status, a check run or a deployment. */
export interface Channel {
  readonly name: 'status' | 'check' | 'deployment';
  /**
   * Makes GitHub show the update. May be called again with the same update: sends nothing twice. Throws NotYet,
   * Failure.
   */
  send(update: StatusUpdate, sent: SentUpdates, writes: Writes): Promise<void>;
}

/** One write to GitHub, and the data to store when GitHub has answered. */
export interface Write {
  readonly channel: Channel['name'];
  /** For an update of which GitHub keeps a limited number: the counter that rises once GitHub has it. */
  readonly counted?: string | undefined;
  /** Sends it as a request of its own. */
  alone(): Promise<SentUpdates>;
  /** The same as a part of a request with several writes; undefined if GitHub's API does not have that. */
  readonly together:
    { readonly write: BatchedWrite; readonly stored: (node: string) => SentUpdates } | undefined;
}

/** The writes that one sender makes about one promotion. */
export interface Writes {
  /** End of the sender's lease, in milliseconds since the epoch. */
  readonly leaseUntil: number;
  /** The writes of the same sender about another promotion. */
  about(promotion: PromotionRecord): Writes;
  /** Sends several: at the same time if their writes can go together, and then throws only when all have ended. */
  all(sends: readonly (() => Promise<void>)[]): Promise<void>;
  /** Performs one write within the budget. A mark is set before it and removed only after the answer. */
  write(write: Write): Promise<void>;
}

export interface ChannelContext {
  readonly github: GitHubPort;
  readonly records: ReportRecords;
  readonly budget: WriteBudget;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Public address of the worker, as it is now. */
  readonly url: () => string | undefined;
}

/** The name of the mark that says that the result of a write is unknown. */
export const openMark = (channel: Channel['name']): string => `${channel}Open`;

/**
 * The name of the mark that says that GitHub refused a write of this channel inside a request with several writes.
 * The channel's writes are then sent as single requests.
 */
export const aloneMark = (channel: Channel['name']): string => `${channel}Alone`;
