import type { GatesAnswer, LaneGate, WorkerPlan } from '../../flows/plan/gates.ts';
import type { PlannedPromotion } from '../../flows/plan/versions/compare-versions.ts';
import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { findRunningDemo } from './demo-record.ts';
import { type LaneAnswer, lanesAnswer, type PromotionAnswer, promotionsAnswer } from './operator-answers.ts';
import { askWorker } from './operator-api.ts';
import type { Session } from '../kit/session.ts';

/**
 * Asks the worker of the environment (or the running demo) which gates a promotion between two environments must
 * pass.
 */
export async function planGates(
  session: Session,
  { version, from, to }: PlannedPromotion,
  projectId: string,
): Promise<GatesAnswer> {
  const { workerUrl, workerToken } = session.settings;
  if (workerUrl === undefined && workerToken === undefined && findRunningDemo(session.io) === undefined)
    return { reason: 'no worker is known here; set MILLRACE_WORKER_URL and MILLRACE_WORKER_TOKEN' };
  try {
    const { lanes } = await askWorker(session, { method: 'GET', path: 'lanes' }, lanesAnswer);
    const own = lanes.filter((lane) => lane.project === projectId && lane.from === from && lane.to === to);
    if (own.length === 0) return { reason: `the worker has no lane from ${from} to ${to} of this project` };
    const { promotions } = await askWorker(session, { method: 'GET', path: 'promotions' }, promotionsAnswer);
    const gates = own.map((lane) => gateOf(lane, version, promotions));
    return { gates: gates.toSorted((a, b) => compareTexts(a.lane, b.lane)) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { reason: error.message.replace(/\.$/u, '') };
  }
}

function gateOf(lane: LaneAnswer, version: string, promotions: readonly PromotionAnswer[]): LaneGate {
  const listed = promotions.filter((promotion) => promotion.lane === lane.id);
  const open = [...(lane.active ? [lane.active] : []), ...listed].find(
    (promotion) => promotion.version === version && openStates.has(promotion.state),
  );
  return {
    lane: lane.name,
    holds: [
      ...lane.holds.map(({ reason }) => `on hold: ${reason}`),
      ...(lane.pauses ?? []).map(({ reason }) => `paused: ${reason}`),
    ],
    ...(open === undefined ? {} : { promotion: promotionOf(open) }),
  };
}

const openStates: ReadonlySet<string> = new Set(['queued', 'active']);

function promotionOf({ id, waitsFor, approvals, plan }: PromotionAnswer): NonNullable<LaneGate['promotion']> {
  const compared = plan ? workerPlanOf(plan) : undefined;
  return {
    id,
    ...(waitsFor ? { waitsFor } : {}),
    ...(approvals ? { approvals: { needed: approvals.needed, given: approvals.given } } : {}),
    ...(compared === undefined ? {} : { plan: compared }),
  };
}

/** Undefined for a plan of an older worker, which does not say what can be compared. */
function workerPlanOf({
  digest,
  id,
  wanted,
  live,
  wayBack,
  snapshots,
  variables,
}: NonNullable<PromotionAnswer['plan']>): WorkerPlan | undefined {
  if (!wanted || !snapshots) return undefined;
  return {
    digest,
    id,
    wanted,
    live: live ?? null,
    wayBack: wayBack ?? null,
    snapshots,
    variables: variables ?? null,
  };
}
