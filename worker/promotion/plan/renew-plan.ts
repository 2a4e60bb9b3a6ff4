import { wayBack } from '../../../flows/plan/versions/way-back.ts';
import { type ArtifactVersion, listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { liveVersion } from '../../../flows/versions/live-version.ts';
import { RateLimited } from '../../rate-limit/rate-limited.ts';
import { planId, type PromotionPlan } from '../../records/promotion-plan.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { type Advance, isTransient } from '../advance/advance.ts';
import { currentPolicy } from '../gates/current-policy.ts';
import { type MadePlan, makePlan } from './make-plan.ts';
import { planChanges } from './plan-changes.ts';

/** How many changes a record keeps. */
const keptChanges = 5;

/** Whether the current rules require approvals of the promotion's plan, and the promotion has changed nothing yet. */
export function needsPlan({ promotion, ports }: Advance): boolean {
  const { step, intent, task } = promotion;
  if (step.name !== 'promote' || intent !== undefined) return false;
  return (currentPolicy(task, ports.config)?.gates.approvals ?? 0) > 0;
}

/**
 * Makes the plan of a promotion that waits at a gate. Makes it again if it is older than `planMs`, is about another
 * version, or if another version is now known to be live. If it cannot be made again now, the old plan stays.
 * Throws FencedOff and, for the first plan, RateLimited and errors of the platform.
 */
export async function renewAtGate(advance: Advance): Promise<void> {
  if (!needsPlan(advance) || isUnderWay(advance.promotion)) return;
  const { plan } = advance.promotion;
  if (plan === undefined) return renewBeforeEffect(advance, await listTarget(advance));
  if (!(await isDue(plan, advance))) return;
  let made: MadePlan;
  try {
    const target = await listTarget(advance);
    made = await makePlan(advance, target, liveVersion(target));
  } catch (error) {
    if (error instanceof RateLimited || isTransient(error)) return;
    throw error;
  }
  await record(advance, made);
}

/**
 * Makes the plan again just before the promotion takes effect, from the versions of the target that were just read,
 * and records it if it differs. Throws FencedOff, RateLimited and errors of the platform.
 */
export async function renewBeforeEffect(advance: Advance, target: readonly ArtifactVersion[]): Promise<void> {
  if (!needsPlan(advance)) return;
  const { promotion } = advance;
  const isThere = target.some(({ versionName }) => versionName === promotion.version);
  if (isThere && isUnderWay(promotion)) return;
  await record(advance, await makePlan(advance, target, liveVersion(target)));
}

/** A version that is made live by several effects changes the plan itself with the first of them. */
function isUnderWay({ task, step }: PromotionRecord): boolean {
  return task.request !== undefined && step.name === 'promote' && step.underPlan !== undefined;
}

const listTarget = async ({ lane, context }: Advance): Promise<readonly ArtifactVersion[]> =>
  listArtifacts(lane.to, context);

async function isDue(
  { readAt, facts }: PromotionPlan,
  { promotion, ports, lane }: Advance,
): Promise<boolean> {
  // A lane with `version: latest` may have resolved another one.
  if (facts.version !== promotion.version) return true;
  if (ports.clock.now() - readAt >= ports.settings.planMs) return true;
  const { answer, changedSince } = await ports.live.read({ project: lane.project, environment: lane.to });
  const isOther = answer !== undefined && answer.at > readAt && answer.version !== facts.live?.version;
  return isOther && !changedSince;
}

async function record(advance: Advance, made: MadePlan): Promise<void> {
  const { promotion, ports } = advance;
  const { plan: before } = promotion;
  const now = ports.clock.now();
  const { digest, facts, limits } = made;
  const back = wayBack(made.target, facts.version);
  const latest = { ...limits, digest, facts, readAt: now, ...(back === undefined ? {} : { wayBack: back }) };
  if (before === undefined) {
    const plan = { ...latest, at: now, changes: [], shown: undefined };
    return advance.save({ what: 'planned', data: inHistory(latest), plan });
  }
  const { at, changes, shown } = before;
  if (digest === before.digest) return advance.save({ what: '', plan: { ...latest, at, changes, shown } });
  const reasons = planChanges(before, made);
  const change = { from: before.digest, at: now, reasons };
  await advance.save({
    what: 'plan-changed',
    data: { ...inHistory(latest), was: planId(before.digest), because: reasons.join(', ') },
    plan: { ...latest, at: now, changes: [...changes, change].slice(-keptChanges), shown },
  });
}

/** The plan as the history keeps it. */
function inHistory({
  digest,
  facts: { version, wanted, live },
}: Pick<PromotionPlan, 'digest' | 'facts'>): Readonly<Record<string, unknown>> {
  const named = (name: string, commit: string | null | undefined): string =>
    commit ? `${name} (${commit.slice(0, 12)})` : name;
  return {
    plan: digest,
    live: live === null ? 'none' : named(live.version, live.commit),
    wanted: named(version, wanted?.commit),
  };
}
