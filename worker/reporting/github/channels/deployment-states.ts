import type { DeploymentState } from '../../../../lib/github/endpoints/deployments.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import type { TakenEnvironment } from '../stores/environment-order.ts';

/** A promotion with its place in the order in which promotions changed the environment. */
export interface Placed {
  readonly promotion: PromotionRecord;
  readonly place: number;
  /** Its deployment exists on GitHub. */
  readonly isDeployed: boolean;
  /** Its deployment exists, or it is not known whether it does. */
  readonly mayBeDeployed: boolean;
  /** It waits at a blocking gate. */
  readonly waits: boolean;
}

/** The state in which GitHub should show a deployment. */
export interface WantedDeployment {
  readonly state: DeploymentState;
  readonly text: string;
}

/** The promotion whose version the environment runs. It may have ended without a verification. */
export function liveIn(
  placed: readonly Placed[],
  rolledBackTo: TakenEnvironment['rolledBackTo'],
): Placed | undefined {
  const last = placed.findLast(({ promotion }) => hasSucceeded(promotion) || staysUnverified(promotion));
  if (rolledBackTo === undefined || (last !== undefined && last.place > rolledBackTo.place)) return last;
  return placed.findLast(
    ({ promotion }) => hasSucceeded(promotion) && promotion.version === rolledBackTo.version,
  );
}

/**
 * The state in which GitHub should show a promotion's deployment. Undefined if no deployment is needed: the
 * promotion never started, or its version is no longer live and GitHub has no deployment for it yet. A deployment
 * costs two writes, and GitHub allows few.
 */
export function wantedOf(
  { promotion, isDeployed, mayBeDeployed, waits }: Placed,
  live: Placed | undefined,
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
      if (promotion.rolledBack !== undefined) return onlyIf(mayBeDeployed, 'inactive');
      if (live?.promotion.id === promotion.id) return { state: 'success', text };
      return mayBeDeployed ? { state: 'inactive', text: supersededText(live?.promotion) } : undefined;
    case 'failed':
      return onlyIf(begun, 'failure');
    case 'indeterminate':
    case 'error':
      return onlyIf(begun, 'error');
    case 'cancelled':
    case 'superseded':
    case 'nothing-to-do':
    case 'skipped-fork':
      return onlyIf(mayBeDeployed, 'inactive');
  }
}

export function supersededText(live: PromotionRecord | undefined): string {
  if (live === undefined) return 'No longer live';
  const version = live.version ?? 'a newer version';
  return hasSucceeded(live) ? `Superseded by ${version}` : `${version} is live, but not verified`;
}

/** Whether a promotion made its version live, ended without a successful verification, and was not taken back. */
function staysUnverified({ outcome, step }: PromotionRecord): boolean {
  if (step.name === 'resolve' || step.name === 'promote') return false;
  // Its verification was skipped. After one, this outcome means that another version is live.
  if (outcome === 'nothing-to-do') return step.name === 'start';
  return (
    outcome === 'failed' || outcome === 'cancelled' || outcome === 'indeterminate' || outcome === 'error'
  );
}

export function hasSucceeded({ outcome, rolledBack }: PromotionRecord): boolean {
  return (outcome === 'passed' || outcome === 'already-done') && rolledBack === undefined;
}
