import type { DeploymentState } from '../../../lib/github/deployments.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { TakenEnvironment } from './environment-order.ts';

/** A promotion in the order of its environment. */
export interface Placed {
  readonly promotion: PromotionRecord;
  readonly place: number;
  /** Its deployment exists on GitHub. */
  readonly isDeployed: boolean;
  /** It waits at a blocking gate. */
  readonly waits: boolean;
}

/** What GitHub should show of a deployment. */
export interface WantedDeployment {
  readonly state: DeploymentState;
  readonly text: string;
}

/** The promotion whose deployment is the active one of the environment: at most one. */
export function activeIn(
  placed: readonly Placed[],
  rolledBackTo: TakenEnvironment['rolledBackTo'],
): Placed | undefined {
  const succeeded = placed.filter(({ promotion }) => hasSucceeded(promotion));
  const last = succeeded.at(-1);
  if (rolledBackTo === undefined || (last !== undefined && last.place > rolledBackTo.place)) return last;
  return succeeded.findLast(({ promotion }) => promotion.version === rolledBackTo.version);
}

/** Undefined if there is nothing to show: a promotion that never started created no deployment. */
export function wantedOf(
  { promotion, isDeployed, waits }: Placed,
  active: Placed | undefined,
): WantedDeployment | undefined {
  const { outcome, step, report } = promotion;
  const { text } = report;
  // A promotion that ended before it knew its version, or before it started, has deployed nothing.
  const begun = isDeployed || (step.name !== 'resolve' && promotion.startedAt !== undefined);
  const onlyIf = (does: boolean, state: DeploymentState): WantedDeployment | undefined =>
    does ? { state, text } : undefined;
  switch (outcome) {
    case undefined:
      if (promotion.state !== 'active') return undefined;
      return { state: step.name === 'resolve' || waits ? 'queued' : 'in_progress', text };
    case 'passed':
    case 'already-done':
      if (promotion.rolledBack !== undefined) return onlyIf(isDeployed, 'inactive');
      if (active?.promotion.id === promotion.id) return { state: 'success', text };
      return { state: 'inactive', text: supersededText(active?.promotion) };
    case 'failed':
      return onlyIf(begun, 'failure');
    case 'indeterminate':
    case 'error':
      return onlyIf(begun, 'error');
    case 'cancelled':
    case 'superseded':
    case 'nothing-to-do':
    case 'skipped-fork':
      return onlyIf(isDeployed, 'inactive');
  }
}

export function supersededText(active: PromotionRecord | undefined): string {
  if (active === undefined) return 'No longer live';
  return `Superseded by ${active.version ?? 'a newer version'}`;
}

function hasSucceeded({ outcome, rolledBack }: PromotionRecord): boolean {
  return (outcome === 'passed' || outcome === 'already-done') && rolledBack === undefined;
}
