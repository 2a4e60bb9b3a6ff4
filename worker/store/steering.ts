import type { Redis } from 'ioredis';
import type { Outcome } from '../../lib/core/outcome.ts';
import type { AuditEntry, Via } from '../records/audit-entry.ts';
import type { Approval, FreezeOverride, PromotionRecord, Step } from '../records/promotion-record.ts';
import type { Pusher } from '../records/plan.ts';
import type { Keys } from './keys.ts';
import type { GivenHold, Hold } from './lane-record.ts';
import type { Script } from './script.ts';
import { approve, learnPusher, overrideFreeze, rolledBack } from './scripts/open-gates.ts';
import { resolve } from './scripts/resolve.ts';
import { cancel, hold, holdForRollBack, resume } from './scripts/steer.ts';

type Call = (script: Script, ...values: readonly (string | number)[]) => Promise<readonly string[]>;

/** Told of promotions that ended, for the metrics. */
export type OnEnded = (outcome: Outcome, count: number) => void;

/** Why an approval or an override does not count. */
export type GateRefusal = 'unknown' | 'over' | 'begun' | 'no-version' | 'changed' | 'superseded';

/** What a person saw when they decided. */
export interface Seen {
  readonly promotion: string;
  readonly commit: string;
  readonly version: string;
}

export type Lifted =
  | { readonly status: 'unknown' | 'not-held' }
  | {
      readonly status: 'ok';
      /** The promotion that goes on now, or ''. */
      readonly started: string;
      readonly lifted: readonly Hold[];
      /** What holds the lane still. */
      readonly left: readonly Hold[];
    };

/** What people do to lanes and promotions. Each act and its line in the audit are one step in Redis. */
export function createSteering(redis: Redis, keys: Keys, call: Call, onEnded: OnEnded) {
  return {
    /** `full`: it has more reasons than anybody reads. */
    async hold(lane: string, given: GivenHold): Promise<'ok' | 'unknown' | 'full'> {
      return (await call(hold, lane, JSON.stringify(given), given.by, given.via ?? 'api', ''))[0] as
        'ok' | 'unknown' | 'full';
    },
    /** Holds the lane before a roll-back by hand; not where a promotion is at work in its target. */
    async holdForRollBack(
      lane: string,
      given: GivenHold,
    ): Promise<{ status: 'ok' | 'unknown' | 'at-work'; promotion: string }> {
      const values = [lane, JSON.stringify(given), given.by, given.via ?? 'api'];
      const [status, promotion = ''] = await call(holdForRollBack, ...values);
      return { status: status as 'ok' | 'unknown' | 'at-work', promotion };
    },
    /** Holds the lane because its live version was found to be gone; once for each version. */
    async holdForMissing(lane: string, given: GivenHold, version: string): Promise<boolean> {
      return (await call(hold, lane, JSON.stringify(given), given.by, 'worker', version))[0] === 'ok';
    },
    /** Takes back the holds with these ids, or all. The lane goes on once none is left. */
    async resume(
      lane: string,
      by: string,
      {
        holds = 'all',
        why = '',
        via = 'api',
      }: { readonly holds?: 'all' | readonly string[]; readonly why?: string; readonly via?: Via } = {},
    ): Promise<Lifted> {
      const ids = holds === 'all' ? '' : JSON.stringify(holds);
      const [status, started = '', lifted = '', left = '', ended = '0'] = await call(
        resume,
        lane,
        by,
        via,
        why,
        ids,
      );
      if (status !== 'ok') return { status: status === 'unknown' ? status : 'not-held' };
      if (Number(ended) > 0) onEnded('superseded', Number(ended));
      // Written by the script.
      return {
        status,
        started,
        lifted: JSON.parse(lifted) as readonly Hold[],
        left: JSON.parse(left) as readonly Hold[],
      };
    },
    /** `because`: what ends it, where that is no person. */
    async cancel(
      promotion: string,
      by: string,
      { via = 'api', because = by }: { readonly via?: Via; readonly because?: string } = {},
    ): Promise<'unknown' | 'ended' | 'over' | 'asked'> {
      const status = (await call(cancel, promotion, by, via, because))[0] as
        'unknown' | 'ended' | 'over' | 'asked';
      if (status === 'ended') onEnded('cancelled', 1);
      return status;
    },
    /** Takes an indeterminate promotion up again where a person has said that it stands. */
    async resolve(
      { lane, id }: Pick<PromotionRecord, 'lane' | 'id'>,
      at: { readonly step: Step; readonly keepIntent: boolean },
      { by, via = 'api', findings }: { readonly by: string; readonly via?: Via; readonly findings: object },
    ): Promise<{ status: 'ok' | 'not-indeterminate' | 'busy' | 'passed-by'; started: string }> {
      const intent = at.keepIntent ? 'keep' : '';
      const findingsJson = JSON.stringify({ by, via, ...findings });
      const values = [lane, id, by, via, JSON.stringify(at.step), intent, findingsJson];
      const [status, started = '', ended = '0'] = await call(resolve, ...values);
      if (Number(ended) > 0) onEnded('superseded', Number(ended));
      return { status: status as 'ok' | 'not-indeterminate' | 'busy' | 'passed-by', started };
    },
    /** `dryRun`: only says whether it would count. */
    async approve(
      { promotion, commit, version }: Seen,
      given: Approval,
      { dryRun = false }: { readonly dryRun?: boolean } = {},
    ): Promise<'ok' | 'already' | GateRefusal> {
      const values = [promotion, commit, version, given.person, JSON.stringify(given), given.by, given.via];
      return (await call(approve, ...values, dryRun ? '1' : ''))[0] as 'ok' | 'already' | GateRefusal;
    },
    async overrideFreeze(
      { promotion, commit, version }: Seen,
      given: FreezeOverride,
    ): Promise<'ok' | GateRefusal> {
      const values = [promotion, commit, version, JSON.stringify(given), given.by, given.via ?? 'api'];
      return (await call(overrideFreeze, ...values))[0] as 'ok' | GateRefusal;
    },
    /** Writes down that `gone` was taken out of the lane’s target and `live` is used again. */
    async rolledBack(
      lane: string,
      { gone, live, by, via, why }: { gone: string; live: string; by: string; via: Via; why: string },
    ): Promise<void> {
      await call(rolledBack, lane, gone, live, by, via, JSON.stringify({ by, via, gone, live, why }));
    },
    /** Tells the lane's promotions of a head who pushed it, where they do not know. */
    async learnPusher(
      lane: string,
      { ref, commit, pusher }: { readonly ref: string; readonly commit: string; readonly pusher: Pusher },
    ): Promise<void> {
      await call(learnPusher, lane, ref, commit, JSON.stringify(pusher));
    },
    /** The audit, newest first, before an id where one is given. */
    async auditEntries(limit: number, before?: string): Promise<readonly AuditEntry[]> {
      const start = before === undefined ? '+' : `(${before}`;
      const entries = await redis.xrevrange(keys.audit, start, '-', 'COUNT', limit);
      return entries.map(([id, fields]) => {
        const hash: Record<string, string> = {};
        for (let i = 0; i < fields.length; i += 2) hash[fields[i] ?? ''] = fields[i + 1] ?? '';
        const { at = '0', by = '', via = 'api', act = '', lane = '', promotion = '', data = '' } = hash;
        return { id, at: Number(at), by, via: via as Via, act, lane, promotion, data };
      });
    },
  };
}
