import type { Report } from '../../lib/report/report.ts';
import type { PromotionPlan } from './promotion-plan.ts';
import type { PromoteReport } from './promote.ts';

/**
 * A promotion as a report: its facts and its words, the same for every entrance. Its notes are warnings.
 * @param plan what was there before the promotion
 * @param notes further notes of the entrance
 */
export function reportOfPromotion(
  promoted: PromoteReport,
  plan: PromotionPlan,
  notes: readonly string[] = [],
): Report {
  const { outcome, to, live, dryRun, warnings = [] } = promoted;
  return {
    title: 'Promote',
    outcome,
    headline: headlineOf(promoted),
    facts: [
      [`live in ${to} before`, plan.now ?? 'none'],
      ...(dryRun || live === undefined ? [] : [[`live in ${to} now`, live] as const]),
    ],
    findings: [],
    notes: [...warnings, ...describeMissingOverrides(plan), ...notes],
  };
}

/** Variables whose default value applies in the target, although they have another value in the source. */
export function describeMissingOverrides({ from, to, missingOverrides }: PromotionPlan): readonly string[] {
  return missingOverrides.map(
    (name) =>
      `The variable ${name} has its own value in ${from}, but not in ${to}, where its default applies.`,
  );
}

function headlineOf({ outcome, version, from, to, live, dryRun }: PromoteReport): string {
  const isOther = live !== undefined && live !== version;
  if (outcome === 'already-done')
    return isOther
      ? `${version} is already in ${to}, but ${live} is newer and live. Nothing was changed. To make ${version} live, roll back ${live}.`
      : `${version} is already in ${to}.`;
  if (dryRun) return `Would promote ${version} from ${from} to ${to}.`;
  return isOther
    ? `Promoted ${version} from ${from} to ${to}, but the platform lists ${live} as the newest enabled version there, so ${live} is live.`
    : `Promoted ${version} from ${from} to ${to}.`;
}
