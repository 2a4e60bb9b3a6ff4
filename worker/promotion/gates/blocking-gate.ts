import type { WorkerConfig } from '../../../lib/config/read-worker-config.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { countApprovals, describeMissingApprovals } from './count-approvals.ts';
import { frozenUntil, isFrozen } from './frozen.ts';
import { currentPolicy } from './current-policy.ts';

/** What stops a promotion before its next effect. */
export interface BlockingGate {
  readonly gate: 'policy' | 'approval' | 'freeze';
  /** As GitHub shows it. */
  readonly text: string;
}

/**
 * The first gate that is shut before a promotion’s next step forward; undefined where it may go. A promotion needs all of
 * them, an execution’s start all but the approvals, which were given for the promotion. What takes the promotion back
 * (termination, disabling what failed) waits for no gate.
 */
export function blockingGate(
  promotion: PromotionRecord,
  config: WorkerConfig,
  now: number,
): BlockingGate | undefined {
  const { step, plan, version } = promotion;
  if (step.name !== 'promote' && step.name !== 'start') return undefined;
  const { to } = plan.lane;
  const rules = currentPolicy(plan, config);
  if (rules === undefined)
    return { gate: 'policy', text: `Waiting: worker.yaml no longer allows this repository to change ${to}` };
  if (step.name === 'promote') {
    const count = countApprovals(promotion, rules);
    if (count.given.length < count.needed) return { gate: 'approval', text: describeMissingApprovals(count) };
  }
  const { freeze } = rules.gates;
  if (!isFrozen(freeze, now) || isOverridden(promotion, version)) return undefined;
  const until = frozenUntil(freeze, now);
  const text =
    until === undefined
      ? `Waiting: ${to} is frozen at this time`
      : `Waiting until ${new Date(until).toISOString().slice(0, 16)}Z: ${to} is frozen`;
  return { gate: 'freeze', text };
}

/** An override lets through what the admin saw, nothing else. */
export function isOverridden({ override, plan }: PromotionRecord, version: string | undefined): boolean {
  return override !== undefined && override.commit === plan.commit && override.version === version;
}
