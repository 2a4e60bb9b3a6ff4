import type { AuditEntry } from '../../records/audit-entry.ts';
import type { PromotionTask } from '../../records/promotion-task.ts';

/** A version that a lane has verified, wants or promotes, and that is newer than another version. */
export interface NewerVersion {
  /** For people. */
  readonly name: string;
  readonly isSameCommit: boolean;
}

export interface Acceptance {
  readonly promotionId: string;
  readonly task: PromotionTask;
  /**
   * `differs`: any other head is new. `greater`: only a higher number. `any`: an operator wants it again.
   * `older`: it arrived late and is not promoted.
   */
  readonly order: 'differs' | 'greater' | 'any' | 'older';
  /** With `older`: the newer version that the lane has; default a newer commit. */
  readonly newer?: NewerVersion | undefined;
  readonly head: { readonly field: string; readonly value: string };
  /** The lane's sequence when the caller read it; accepted only while it is unchanged. */
  readonly expectedSeq?: number | undefined;
  /**
   * The lane's sequence before the head was read: accepted only if the lane has accepted nothing of the same ref since.
   */
  readonly headSince?: number | undefined;
  /** The person's action that caused it: its audit entry is written in the same step. */
  readonly audit?: Pick<AuditEntry, 'by' | 'via' | 'act' | 'data'> | undefined;
}

export type Accepted =
  /**
   * `changed`: by `expectedSeq`. `moved`: by `headSince`. `lost`: the records are lost, and no worker has handled that
   * yet.
   */
  | { readonly status: 'duplicate' | 'changed' | 'moved' | 'lost' }
  /** `started` has the lane now ('' for none); `touched` have something new to report. */
  | {
      readonly status: 'accepted';
      readonly seq: number;
      readonly started: string;
      readonly touched: readonly string[];
    };
