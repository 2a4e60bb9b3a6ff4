import type { FailedOverride, VariablesReport } from '../../flows/variables/apply-variables.ts';
import { changeCounts } from '../../flows/variables/change-counts.ts';
import { variablesHeadline } from '../../flows/variables/headline.ts';
import { variableColumns, variableRows } from '../../flows/variables/variable-rows.ts';
import type { Finding } from '../../lib/core/outcomes/finding.ts';
import type { StepResult } from '../kit/step/action.ts';
import type { VariablesFileAtCommit } from './read-variables-files.ts';

export interface VariablesReportOptions {
  readonly outcome: VariablesReport['outcome'];
  readonly files: readonly VariablesFileAtCommit[];
  readonly notes: readonly string[];
}

/** The result of the step for a plan or its application, with the table for the job summary. */
export function variablesReport(
  report: VariablesReport,
  { outcome, files, notes }: VariablesReportOptions,
): StepResult {
  const counts = changeCounts(report.changes);
  return {
    report: {
      title: 'Variables',
      outcome,
      headline: variablesHeadline(report),
      facts: [
        ['mode', report.applied ? 'apply' : 'plan'],
        ['files', files.map(({ path }) => path).join(', ')],
      ],
      findings: report.failed.map((failure) => findingOf(failure, files)),
      tables: [{ title: 'Plan', columns: variableColumns, rows: variableRows(report) }],
      notes: [
        ...notes,
        ...(report.unmanaged.length === 0
          ? []
          : ['Entries marked ? exist only on the platform. To delete them, set `prune: true`.']),
      ],
    },
    details: report,
    outputs: {
      mode: report.applied ? 'apply' : 'plan',
      ...counts,
      unmanaged: report.unmanaged.length,
      failed: report.failed.length,
      'comment-url': '',
    },
  };
}

/** The finding for a rejected value, at its line. */
function findingOf(
  { variable, environment, reason }: FailedOverride,
  files: readonly VariablesFileAtCommit[],
): Finding {
  const file = files.find(({ read }) =>
    Object.hasOwn(read.value.environments?.[environment] ?? {}, variable),
  );
  const place = file?.read.placeOf(['environments', environment, variable]);
  const { line = 1, column = 1 } = place ?? {};
  return {
    rule: 'millrace/variable-not-taken',
    severity: 'error',
    file: file?.path ?? files[0]?.path ?? '',
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
