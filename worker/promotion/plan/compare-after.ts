import { type ArtifactVersion, listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { liveVersion } from '../../../flows/versions/live-version.ts';
import type { PlannedVersion, PromotionPlan } from '../../records/promotion-plan.ts';
import type { Advance } from '../advance/advance.ts';
import { makePlan } from './make-plan.ts';
import { commitChange, planChanges, wentLive } from './plan-changes.ts';

/**
 * The ways in which a promotion's result differs from its plan, each as a part of a sentence. The platform cannot
 * promote under a condition (spec §4.3), so a change between the last read and the call is only visible afterwards.
 * Reads versions and variables once. Empty for a promotion without a plan. Throws RateLimited and errors of the
 * platform.
 */
export async function differencesAfter(advance: Advance): Promise<readonly string[]> {
  const { promotion, lane } = advance;
  const { step, plan, task } = promotion;
  const underPlan = step.name === 'promote' ? step.underPlan : undefined;
  if (plan === undefined || underPlan !== plan.digest) return [];
  const target = await listArtifacts(lane.to, advance.context);
  const live = liveVersion(target);
  const isWanted = live?.versionName === plan.facts.version;
  const others = target.filter(({ versionName }) => versionName !== plan.facts.version);
  // What was live before: a request disables it, and a version that went live later hides it.
  const before = task.request !== undefined || !isWanted ? asPlanned(plan, others) : liveVersion(others);
  // An effect changes no snapshot.
  const made = await makePlan(advance, target, before, { areContentsRead: false });
  return [...otherLive(plan, live, lane.to), ...planChanges(plan, made)];
}

/** The version that was live in the plan. */
function asPlanned(
  { facts: { live } }: PromotionPlan,
  others: readonly ArtifactVersion[],
): ArtifactVersion | undefined {
  const artifact = others.find(({ versionName }) => versionName === live?.version);
  return artifact && { ...artifact, commitHash: live?.commit };
}

/** What is live must be the wanted version, built from its commit. */
function otherLive(
  { facts: { version, wanted } }: PromotionPlan,
  live: ArtifactVersion | undefined,
  environment: string,
): readonly string[] {
  if (live === undefined) return [`no version is live in ${environment}`];
  if (live.versionName !== version) return [wentLive(live, environment)];
  const is: PlannedVersion = { version, commit: live.commitHash?.trim().toLowerCase() || null };
  if (wanted === null || is.commit === wanted.commit) return [];
  return [commitChange(`${version}, which is live in ${environment},`, wanted, is)];
}
