import type { Report } from '../../lib/report/report.ts';
import { choiceCells, choiceColumns } from '../versions/version-choices.ts';
import { describeRemovedId } from '../versions/removed-shared-ids.ts';
import { placeOf } from './choose-rollback.ts';
import type { SharedRollbackReport } from './roll-back-shared.ts';
import type { RollbackReport } from './rollback.ts';

/**
 * The report about a rollback of a project or of shared pipelines, the same for command and action.
 * @param notes further notes of the command or action
 */
export function reportOfRollback(
  rolledBack: RollbackReport | SharedRollbackReport,
  notes: readonly string[] = [],
): Report {
  const removedIds = 'removedIds' in rolledBack ? rolledBack.removedIds : [];
  return {
    title: 'Rollback',
    outcome: rolledBack.outcome,
    headline: headlineOf(rolledBack),
    facts: [],
    findings: [],
    ...('choices' in rolledBack ? { tables: choiceTable(rolledBack) } : {}),
    notes: [...removedIds.map(describeRemovedId), ...notes],
  };
}

function choiceTable({ choices = [], environment }: RollbackReport) {
  const rows = choiceCells(choices, environment);
  return [{ title: `Versions to go back to in ${environment}`, columns: choiceColumns, rows }];
}

function headlineOf(rolledBack: RollbackReport | SharedRollbackReport): string {
  const { outcome, disabled, live, dryRun } = rolledBack;
  const place = placeOf(rolledBack);
  if (outcome === 'already-done') return `${disabled} ${place} is already disabled; ${live} is live.`;
  const others = 'alsoDisabled' in rolledBack ? rolledBack.alsoDisabled : [];
  const also = others.length === 0 ? '' : `, and ${others.join(', ')} before it`;
  return dryRun
    ? `Would disable ${disabled} ${place}${also}; ${live} would be live.`
    : `Disabled ${disabled} ${place}${also}; ${live} is live.`;
}
