import type { FailedOverride, VariablesReport } from '../../flows/variables/apply-variables.ts';
import { type ChangeCounts, changeCounts } from '../../flows/variables/change-counts.ts';
import { variableColumns, variableRows } from '../../flows/variables/variable-rows.ts';
import type { Finding } from '../../lib/core/finding.ts';
import type { StepResult } from '../kit/action.ts';
import type { FileOfVariables } from './read-files.ts';

export interface Told {
  readonly outcome: VariablesReport['outcome'];
  readonly files: readonly FileOfVariables[];
  readonly notes: readonly string[];
}

/** What a plan, or what came of it, looks like in the job summary. */
export function variablesReport(report: VariablesReport, { outcome, files, notes }: Told): StepResult {
  const counts = changeCounts(report.changes);
  return {
    report: {
      title: 'Variables',
      outcome,
      headline: headlineOf(report, counts),
      facts: [
        ['mode', report.applied ? 'apply' : 'plan'],
        ['files', files.map(({ path }) => path).join(', ')],
      ],
      findings: report.failed.map((one) => findingOf(one, files)),
      tables: [{ title: 'Plan', columns: variableColumns, rows: variableRows(report) }],
      notes: [
        ...notes,
        ...(report.unmanaged.length === 0
          ? []
          : ['What is marked ? is on the platform only; prune: true deletes it.']),
      ],
    },
    details: report,
    outputs: {
      mode: report.applied ? 'apply' : 'plan',
      ...counts,
      unmanaged: report.unmanaged.length,
      failed: report.failed.length,
    },
  };
}

function headlineOf({ applied, changes, failed }: VariablesReport, counts: ChangeCounts): string {
  if (changes.length === 0) return 'The platform has what the files say.';
  const { add, change, delete: gone } = counts;
  if (!applied) return `${String(add)} to add, ${String(change)} to change, ${String(gone)} to delete.`;
  const done = `${String(add)} added, ${String(change)} changed, ${String(gone)} deleted`;
  return failed.length === 0
    ? `${done}.`
    : `${done}, but for ${String(failed.length)} that the platform did not take.`;
}

/** The finding for a rejected value, at its line. */
function findingOf(
  { variable, environment, reason }: FailedOverride,
  files: readonly FileOfVariables[],
): Finding {
  const given = files.find(({ read }) =>
    Object.hasOwn(read.value.environments?.[environment] ?? {}, variable),
  );
  const place = given?.read.placeOf(['environments', environment, variable]);
  const { line = 1, column = 1 } = place ?? {};
  return {
    rule: 'millrace/variable-not-taken',
    severity: 'error',
    file: given?.path ?? files[0]?.path ?? '',
    line,
    column,
    endLine: line,
    endColumn: column + 1,
    component: variable,
    message: `${variable} in ${environment} was rejected: ${reason}`,
    source: 'platform',
    state: 'new',
    fingerprint: `millrace/variable-not-taken ${environment} ${variable}`,
  };
}
