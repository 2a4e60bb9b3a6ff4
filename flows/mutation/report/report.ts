import type { Finding } from '../../../lib/core/outcomes/finding.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { oneLine } from '../../../lib/core/text/sanitize-text.ts';
import type { Report, ReportTable } from '../../../lib/report/report.ts';
import { wrongFiles } from '../../pipeline-tests/report/report.ts';
import type { ChangeResult, MutationReport } from '../run/mutate.ts';
import { changeText, placeText } from './change-text.ts';

/** What the command or action adds to the report. */
export interface MutationAddition {
  /** What makes a path of the project one of the repository. */
  readonly prefix?: string;
  /** The smallest accepted percentage of noticed changes. */
  readonly threshold?: number | undefined;
}

/** The report about planted changes: each change that no test notices is a finding on its line. */
export function reportOfMutation(
  report: MutationReport,
  { prefix = '', threshold }: MutationAddition = {},
): Report {
  const { changes, seed, notTried } = report;
  const isSample = notTried.byMax + notTried.byBudget > 0;
  const facts: readonly (readonly [label: string, count: number])[] = [
    ['not reached by a test', report.notReached],
    ['refused by the engine', report.refused],
    ['marked as equal', report.equal],
    ['not tried', notTried.byMax + notTried.byBudget],
  ];
  return {
    title: 'Mutation',
    outcome: outcomeOfMutation(report, threshold),
    headline: headlineOf(report, threshold),
    facts: [
      ...facts.flatMap(([label, count]) => (count > 0 ? [[label, String(count)] as const] : [])),
      ...(isSample ? [['seed', String(seed)] as const] : []),
    ],
    findings: changes.flatMap((change) =>
      change.verdict === 'not-noticed' ? [findingOf(change, prefix)] : [],
    ),
    tables: [
      changeTable('Refused by the engine', changes, 'refused', prefix),
      changeTable('Not reached by a test', changes, 'not-reached', prefix),
      changeTable('Marked as equal', changes, 'equal', prefix),
    ],
    notes: notesOf(report, prefix),
  };
}

/**
 * The outcome of the report. A test that fails without a change makes it a failure, because it cannot notice
 * anything.
 */
export function outcomeOfMutation(
  report: Pick<MutationReport, 'failed' | 'percent' | 'notTried' | 'refused' | 'problems'>,
  threshold: number | undefined,
): Outcome {
  if ((report.problems ?? []).length > 0) return 'error';
  const isMissed = threshold !== undefined && !reaches(report, threshold);
  return report.failed.length > 0 || isMissed ? 'failed' : 'passed';
}

/** Whether a threshold is reached. One is not if there are changes to try and nothing is known about any of them. */
function reaches(
  { percent, notTried, refused }: Pick<MutationReport, 'percent' | 'notTried' | 'refused'>,
  threshold: number,
): boolean {
  if (percent !== null) return percent >= threshold;
  return notTried.byMax + notTried.byBudget + refused === 0;
}

/** `31 of 40 changes noticed (77 %), below the threshold of 80 %.` */
function headlineOf(report: MutationReport, threshold: number | undefined): string {
  const counted = countOf(report, threshold, 'change');
  return `${[counted, ...wrongFiles(report.problems ?? [])].join('; ')}.`;
}

/** @param what one change */
function countOf(
  report: Pick<MutationReport, 'noticed' | 'notNoticed' | 'percent' | 'notTried' | 'refused'>,
  threshold: number | undefined,
  what: string,
): string {
  const { noticed, notNoticed, percent, refused } = report;
  const total = noticed + notNoticed;
  const isMissed = threshold !== undefined && !reaches(report, threshold);
  if (total > 0) {
    const share = percent === null ? '' : ` (${percent} %)`;
    const limit = isMissed ? `, below the threshold of ${threshold} %` : '';
    return `${noticed} of ${numberOf(total, what)} noticed${share}${limit}`;
  }
  const nothing = refused > 0 ? `The engine refused each ${what}` : `No ${what} was tried`;
  return isMissed ? `${nothing}, so the threshold of ${threshold} % is not reached` : nothing;
}

/** How many changes that no test notices the report of tests lists. */
const maxFindings = 20;

/**
 * Adds the result of the planted changes of a project to the report of its tests: the score, and the first changes
 * that no test notices. Failed tests are already in that report.
 */
export function withMutation(
  report: Report,
  mutation: MutationReport,
  { prefix = '', threshold }: MutationAddition,
): Report {
  const {
    outcome,
    findings,
    facts,
    tables = [],
    notes,
  } = reportOfMutation({ ...mutation, failed: [], problems: [] }, { prefix, threshold });
  const left = findings.length - maxFindings;
  const more = `${numberOf(left, 'further planted change')} that no test notices: millrace test --mutate shows all, and so does the file of report-path.`;
  return {
    ...report,
    outcome: report.outcome === 'passed' ? outcome : report.outcome,
    headline: `${report.headline} ${countOf(mutation, threshold, 'planted change')}.`,
    facts: [...report.facts, ...facts.map(([label, value]) => [`planted changes, ${label}`, value] as const)],
    findings: [...report.findings, ...findings.slice(0, maxFindings)],
    tables: [...(report.tables ?? []), ...tables],
    notes: [...report.notes, ...(left > 0 ? [more] : []), ...notes],
  };
}

function findingOf(change: ChangeResult, prefix: string): Finding {
  const { id, file, component, line, column, endLine, endColumn, tests } = change;
  const runs = tests === 1 ? 'The test that runs it passes' : `The ${tests} tests that run it pass`;
  const where = component === undefined ? '' : `"${oneLine(component)}": `;
  return {
    rule: 'millrace/change-not-noticed',
    severity: 'warning',
    file: `${prefix}${file}`,
    line,
    column,
    endLine,
    endColumn,
    ...(component === undefined ? {} : { component }),
    // Not every form of a report shows the id of a finding.
    message: `${where}${changeText(change)}. ${runs} (change ${id}).${rowsText(change)}`,
    source: 'millrace',
    state: 'new',
    fingerprint: id,
  };
}

function rowsText({ id, rows }: ChangeResult): string {
  if (rows === 'found') return ` Other rows show it: millrace test --add-row ${id}.`;
  return rows === 'perhaps-equal' ? ' No rows were found that show it: it may have no effect.' : '';
}

/** How many changes a table lists; the JSON has all of them. */
const maxRows = 100;

function changeTable(
  title: string,
  changes: readonly ChangeResult[],
  verdict: ChangeResult['verdict'],
  prefix: string,
): ReportTable {
  const all = changes.filter((change) => change.verdict === verdict);
  const own = all.slice(0, maxRows);
  const more = all.length - own.length;
  const hasReason = own.some(({ reason }) => reason !== undefined);
  return {
    title: more > 0 ? `${title}, the first ${maxRows} of ${all.length}` : title,
    columns: ['id', 'where', 'component', 'change', ...(hasReason ? ['reason'] : [])],
    rows: own.map((change) => [
      change.id,
      `${prefix}${placeText(change)}`,
      oneLine(change.component ?? ''),
      changeText(change),
      ...(hasReason ? [oneLine(change.reason ?? '')] : []),
    ]),
    isDetail: true,
  };
}

/** How many of the changes that no test notices would show with other rows. */
function rowNotes({ changes, notNoticed }: MutationReport): readonly string[] {
  const count = (rows: ChangeResult['rows']) => changes.filter((change) => change.rows === rows).length;
  const [found, equal, others] = [count('found'), count('perhaps-equal'), count('not-searched')];
  if (found + equal + others === 0)
    return notNoticed === 0
      ? []
      : [
          'To search for rows that show such a change, and add a test with them: millrace test --add-row ID, with the id of the change.',
        ];
  return [
    `Rows were found that show ${found} of the ${numberOf(notNoticed, 'change')} that no test notices. millrace test --add-row ID adds a test with such rows.`,
    ...(equal > 0 ? [`For ${numberOf(equal, 'change')}, no rows were found: they may have no effect.`] : []),
    ...(others > 0
      ? [
          `The time of --find-rows was used up before rows for ${numberOf(others, 'change')} could be searched. Give it more time, or search for one change: millrace test --add-row ID.`,
        ]
      : []),
  ];
}

function notesOf(report: MutationReport, prefix: string): readonly string[] {
  const { changes, failed, unusedMarks, notTried, problems = [] } = report;
  const byFailure = changes.filter(({ noticedBy }) => noticedBy?.by === 'failure').length;
  const verb = byFailure === 1 ? 'was' : 'were';
  return [
    ...problems.map(({ file, line, column, message }) => `${prefix}${file}:${line}:${column}: ${message}`),
    ...failed.map(
      ({ file, line, name, status }) =>
        `${prefix}${file}:${line}: the test "${oneLine(name)}" ${status === 'refused' ? 'is refused' : 'fails'} without a change, so it notices nothing. Fix it first.`,
    ),
    ...(byFailure > 0
      ? [
          `${numberOf(byFailure, 'change')} of these ${verb} noticed because the pipeline fails, not by an expectation about its result.`,
        ]
      : []),
    ...(notTried.byBudget > 0
      ? [`The budget was used up before ${numberOf(notTried.byBudget, 'change')} could be tried.`]
      : []),
    ...(notTried.byMax > 0
      ? [`${numberOf(notTried.byMax, 'change')} more could be tried without --max.`]
      : []),
    ...rowNotes(report),
    ...unusedMarks.map(
      ({ file, change }) =>
        `millrace.yaml marks the change ${change} of ${file} as equal, but the file has no such change any more: remove the entry of mutation.equal.`,
    ),
  ];
}
