import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { countApprovals, describeMissingApprovals } from './count-approvals.ts';
import { frozenUntil, isFrozen } from './frozen.ts';
import { currentPolicy } from './current-policy.ts';

/** The gate that stops a promotion before its next effect. */
export interface BlockingGate {
  readonly gate: 'policy' | 'approval' | 'checks' | 'evidence' | 'freeze' | 'pause';
  /** As GitHub shows it. */
  readonly text: string;
}

/**
 * The first gate that blocks the promotion's next step; undefined if none does. A promotion must pass all gates
 * before its version is promoted, and all gates except approvals before an execution is started. Steps that take a
 * version back (termination, disabling the failed version) wait for no gate.
 */
export function blockingGate(
  promotion: PromotionRecord,
  config: WorkerConfig,
  now: number,
): BlockingGate | undefined {
  const { step, task, version } = promotion;
  if (step.name !== 'promote' && step.name !== 'start') return undefined;
  const { to } = task.lane;
  const rules = currentPolicy(task, config);
  if (rules === undefined)
    return {
      gate: 'policy',
      text: `Waiting: worker.yaml no longer lists ${to} in this repository’s \`environments\``,
    };
  if (step.name === 'promote') {
    const count = countApprovals(promotion, rules);
    if (count.given.length < count.needed) return { gate: 'approval', text: describeMissingApprovals(count) };
  }
  if (!isFrozen(rules.gates, now) || isOverridden(promotion, version)) return undefined;
  const until = frozenUntil(rules.gates, now);
  const text =
    until === undefined
      ? `Waiting: ${to} is frozen at this time`
      : `Waiting until ${new Date(until).toISOString().slice(0, 16)}Z: ${to} is frozen`;
  return { gate: 'freeze', text };
}

/** Whether an admin has overridden the freeze for exactly the commit and version of the promotion. */
export function isOverridden({ override, task }: PromotionRecord, version: string | undefined): boolean {
  return override !== undefined && override.commit === task.commit && override.version === version;
}
