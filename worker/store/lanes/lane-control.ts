import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import type { Via } from '../../records/audit-entry.ts';
import type { PromotionRecord, Step } from '../../records/promotion-record.ts';
import type { GivenHold, Hold } from './lane-record.ts';
import { toJson } from '../../../lib/redis/scripts/lua-script.ts';
import type { CallLaneScript } from '../scripts/lane-script.ts';
import { cancel, hold, holdForRollBack, resolve, resume } from './lane-control-scripts.ts';

/** Called for promotions that ended, so that the metrics count them. */
export type OnEnded = (outcome: Outcome, count: number) => void;

export type Lifted =
  | { readonly status: 'unknown' | 'not-held' }
  | {
      readonly status: 'ok';
      /** The promotion that continues now, or ''. */
      readonly started: string;
      readonly lifted: readonly Hold[];
      /** The holds that remain. */
      readonly left: readonly Hold[];
    };

/** Actions of people on lanes and promotions. Each action and its audit entry are one step in Redis. */
export interface LaneControl {
  /** `full`: the lane has too many holds. */
  hold(lane: string, newHold: GivenHold): Promise<'ok' | 'unknown' | 'full'>;
  /** Holds the lane before a roll-back by hand; fails while a promotion is running in its target. */
  holdForRollBack(
    lane: string,
    newHold: GivenHold,
  ): Promise<{ readonly status: 'ok' | 'unknown' | 'at-work'; readonly promotion: string }>;
  /** Holds the lane because its live version disappeared; once for each version. */
  holdForMissing(lane: string, newHold: GivenHold, version: string): Promise<boolean>;
  /** Lifts the holds with these ids, or all. The lane continues once none is left. */
  resume(
    lane: string,
    by: string,
    options?: { readonly holds?: 'all' | readonly string[]; readonly reason?: string; readonly via?: Via },
  ): Promise<Lifted>;
  /** `cause`: what ends it, if it is not a person. */
  cancel(
    promotion: string,
    by: string,
    options?: { readonly via?: Via; readonly cause?: string },
  ): Promise<'unknown' | 'ended' | 'over' | 'requested'>;
  /** Resumes an indeterminate promotion after a person's verdict. */
  resolve(
    promotion: Pick<PromotionRecord, 'lane' | 'id'>,
    at: { readonly step: Step; readonly keepIntent: boolean },
    verdict: { readonly by: string; readonly via?: Via; readonly findings: object },
  ): Promise<{
    readonly status: 'ok' | 'not-indeterminate' | 'busy' | 'passed-by';
    readonly started: string;
  }>;
}

export function createLaneControl(call: CallLaneScript, onEnded: OnEnded): LaneControl {
  return {
    async hold(lane: string, newHold: GivenHold): Promise<'ok' | 'unknown' | 'full'> {
      const status = await call(hold, { ...holdOf(lane, newHold), missing: undefined });
      // The script answers `noticed` only for a missing version.
      return status === 'noticed' ? 'ok' : status;
    },
    async holdForRollBack(
      lane: string,
      newHold: GivenHold,
    ): Promise<{ status: 'ok' | 'unknown' | 'at-work'; promotion: string }> {
      const { status, promotion } = await call(holdForRollBack, holdOf(lane, newHold));
      return { status, promotion };
    },
    async holdForMissing(lane: string, newHold: GivenHold, version: string): Promise<boolean> {
      return (await call(hold, { ...holdOf(lane, newHold), via: 'worker', missing: version })) === 'ok';
    },
    async resume(
      lane: string,
      by: string,
      {
        holds = 'all',
        reason = '',
        via = 'api',
      }: { readonly holds?: 'all' | readonly string[]; readonly reason?: string; readonly via?: Via } = {},
    ): Promise<Lifted> {
      const answer = await call(resume, { lane, by, via, reason, ids: holds === 'all' ? undefined : holds });
      if (answer.status !== 'ok') return { status: answer.status };
      if (answer.superseded > 0) onEnded('superseded', answer.superseded);
      // Written by the script.
      return {
        status: answer.status,
        started: answer.started,
        lifted: JSON.parse(answer.lifted) as readonly Hold[],
        left: JSON.parse(answer.left) as readonly Hold[],
      };
    },
    async cancel(
      promotion: string,
      by: string,
      { via = 'api', cause = by }: { readonly via?: Via; readonly cause?: string } = {},
    ): Promise<'unknown' | 'ended' | 'over' | 'requested'> {
      const status = await call(cancel, { promotion, by, via, cause });
      if (status === 'ended') onEnded('cancelled', 1);
      return status;
    },
    async resolve(
      { lane, id }: Pick<PromotionRecord, 'lane' | 'id'>,
      at: { readonly step: Step; readonly keepIntent: boolean },
      { by, via = 'api', findings }: { readonly by: string; readonly via?: Via; readonly findings: object },
    ): Promise<{ status: 'ok' | 'not-indeterminate' | 'busy' | 'passed-by'; started: string }> {
      const { status, started, superseded } = await call(resolve, {
        lane,
        promotion: id,
        by,
        via,
        step: toJson(at.step),
        keepIntent: at.keepIntent,
        verdict: toJson({ by, via, ...findings }),
      });
      if (superseded > 0) onEnded('superseded', superseded);
      return { status, started };
    },
  };
}

function holdOf(lane: string, newHold: GivenHold) {
  return { lane, hold: toJson(newHold), by: newHold.by, via: newHold.via ?? 'api' };
}
