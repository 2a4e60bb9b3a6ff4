import type { Redis } from 'ioredis';
import type { Approval, GatePass, Rejection, RolledBack } from '../../records/promotion-record.ts';
import type { PromotionTask } from '../../records/promotion-task.ts';
import { toJson } from '../../../lib/redis/scripts/lua-script.ts';
import type { Keys } from '../scripts/keys.ts';
import type { CallLaneScript } from '../scripts/lane-script.ts';
import {
  approve,
  learnPusher,
  type GateRefusal,
  overrideFreeze,
  passEvidence,
  reject,
  rolledBack,
} from './open-gates.ts';

export type { GateRefusal };

/** The commit, version and plan that a person saw when they decided. */
export interface Seen {
  readonly promotion: string;
  readonly commit: string;
  readonly version: string;
  /** The digest of the plan; undefined if they saw none. */
  readonly plan?: string | undefined;
}

/** How a decision is recorded. */
export interface DecisionOptions {
  /** Only reports whether it would count. */
  readonly dryRun?: boolean;
  /** The comment that it is in, by its name (`comment-answer.ts`). */
  readonly comment?: string | undefined;
}

/** The decisions of people about promotions at their gates. */
export interface GateDecisions {
  approve(seen: Seen, decision: Approval, options?: DecisionOptions): Promise<'ok' | 'already' | GateRefusal>;
  /** Ends the promotion: at once (`ended`), or in its next advance. */
  reject(
    seen: Seen,
    decision: Rejection,
    options?: DecisionOptions,
  ): Promise<'ended' | 'requested' | GateRefusal>;
  /** The promotion that a comment has approved or rejected before; undefined if there is none. */
  decidedBy(comment: string): Promise<string | undefined>;
  overrideFreeze(seen: Seen, override: GatePass): Promise<'ok' | GateRefusal>;
  /** Lets a promotion through without the evidence that its gates require. */
  passEvidence(seen: Seen, pass: GatePass): Promise<'ok' | GateRefusal>;
  /**
   * Records that `disabled` was disabled in the lane’s target and `live` is used again. Returns the promotions of `disabled`
   * that had passed: they have something new to report.
   */
  rolledBack(lane: string, rollBack: RolledBack): Promise<readonly string[]>;
  /**
   * Adds the pusher and the authors to the lane's promotions of a head that do not know them, and to those after them.
   * Returns the promotion that must be advanced now, because an approval may count; '' for none.
   */
  learnPusher(
    lane: string,
    head: Pick<PromotionTask, 'ref' | 'commit' | 'authorIds'> & {
      readonly pusher: PromotionTask['pusher'] | undefined;
      readonly authors: PromotionTask['authors'] | undefined;
    },
  ): Promise<string>;
}

/** `onCancelled` is called for a promotion that a rejection ended at once; it counts in the metrics. */
export function createGateDecisions(
  redis: Redis,
  keys: Keys,
  call: CallLaneScript,
  onCancelled: () => void,
): GateDecisions {
  return {
    async decidedBy(comment: string): Promise<string | undefined> {
      return (await redis.get(keys.commentDecision(comment))) ?? undefined;
    },
    async approve(
      { promotion, commit, version, plan }: Seen,
      decision: Approval,
      { dryRun = false, comment }: DecisionOptions = {},
    ): Promise<'ok' | 'already' | GateRefusal> {
      const { person, by, via } = decision;
      const approval = toJson(decision);
      const about = { promotion, commit, version, plan, comment };
      return call(approve, { ...about, person, approval, by, via, dryRun });
    },
    async reject(
      { promotion, commit, version }: Seen,
      decision: Rejection,
      { dryRun = false, comment }: DecisionOptions = {},
    ): Promise<'ended' | 'requested' | GateRefusal> {
      const { by, via, reason } = decision;
      const [rejection, text] = [toJson(decision), `rejected by ${by}: ${reason}`];
      const about = { promotion, commit, version, comment };
      const status = await call(reject, { ...about, rejection, text, by, via, dryRun });
      if (status === 'ended') onCancelled();
      return status;
    },
    async overrideFreeze(
      { promotion, commit, version }: Seen,
      override: GatePass,
    ): Promise<'ok' | GateRefusal> {
      const { by, via = 'api' } = override;
      return call(overrideFreeze, { promotion, commit, version, override: toJson(override), by, via });
    },
    async passEvidence({ promotion, commit, version }: Seen, pass: GatePass): Promise<'ok' | GateRefusal> {
      const { by, via = 'api' } = pass;
      return call(passEvidence, { promotion, commit, version, override: toJson(pass), by, via });
    },
    async rolledBack(lane: string, rollBack: RolledBack): Promise<readonly string[]> {
      const { disabled, live, by, via, reason } = rollBack;
      const text = `Rolled back to ${live} by ${by}: ${reason}`;
      const data = toJson({ by, via, disabled, live, reason });
      return call(rolledBack, { lane, version: disabled, live, by, via, data, text });
    },
    async learnPusher(
      lane: string,
      {
        ref,
        commit,
        pusher,
        authors = [],
        authorIds = {},
      }: Pick<PromotionTask, 'ref' | 'commit' | 'authorIds'> & {
        readonly pusher: PromotionTask['pusher'] | undefined;
        readonly authors: PromotionTask['authors'] | undefined;
      },
    ): Promise<string> {
      const by = pusher && { pusher: toJson(pusher), login: pusher.login };
      const input = { lane, ref, commit, pusher: by?.pusher, login: by?.login, authors, authorIds };
      return call(learnPusher, input);
    },
  };
}
