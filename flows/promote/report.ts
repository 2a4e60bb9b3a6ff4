import { shellWord } from '../../lib/core/text/shell-word.ts';
import type { Report } from '../../lib/report/report.ts';
import { describeMissingValue } from '../variables/value-differences.ts';
import type { StateBefore } from './state-before.ts';
import type { PromoteReport } from './promote.ts';

/**
 * The report about a promotion, the same for command and action. Its notes are warnings.
 * @param before the state of the target before the promotion
 * @param notes further notes of the command or action
 */
export function reportOfPromotion(
  promoted: PromoteReport,
  before: StateBefore,
  notes: readonly string[] = [],
): Report {
  const { outcome, to, live, dryRun, warnings = [] } = promoted;
  return {
    title: 'Promote',
    outcome,
    headline: headlineOf(promoted),
    facts: [
      [`live in ${to} before`, before.now ?? 'none'],
      ...(live === undefined ? [] : [[`live in ${to} ${dryRun ? 'afterwards' : 'now'}`, live] as const]),
      ...(dryRun && outcome === 'passed' ? [['what changes', planCommand(before)] as const] : []),
    ],
    findings: [],
    notes: [...warnings, ...describeMissingOverrides(before), ...notes],
  };
}

/** The command that shows what a promotion will change. */
function planCommand({ version, from, to }: StateBefore): string {
  return `millrace plan --version ${shellWord(version)} --from ${shellWord(from)} --to ${shellWord(to)}`;
}

/** Sentences about variables whose default applies in the target, although they have another value in the source. */
export function describeMissingOverrides({ from, to, missingOverrides }: StateBefore): readonly string[] {
  return missingOverrides.map((name) => describeMissingValue(name, { from, to }));
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
