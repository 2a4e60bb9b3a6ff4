import { compareFindings, type Finding } from '../../../lib/core/outcomes/finding.ts';
import { isUnreadable } from '../../../lib/config/project/compile-schema.ts';
import { listText } from '../../../lib/core/text/list-text.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { Report, ReportTable } from '../../../lib/report/report.ts';
import { findingLines } from '../../../lib/report/terminal.ts';
import {
  type AcceptedFindings,
  type CompileReport,
  type ConcludedFinding,
  type OutsideTable,
  isAboutChange,
} from './compile-report.ts';
import type { SuppressedFinding } from '../../findings/suppressed-finding.ts';
import { ruleName } from './conclude-compile.ts';
import { readCount, unreadableError } from '../texts/unreadable-pipelines.ts';

/** What the command or action adds to the report. */
export interface CompileAddition {
  /** What makes a path of the project one of the repository. */
  readonly prefix?: string;
  readonly notes?: readonly string[];
}

/** How many rows a table of the report has at most. */
const maxRows = 10;

/** The report about a compilation, the same for command, action and comment. */
export function reportOfCompile(
  report: CompileReport,
  { prefix = '', notes = [] }: CompileAddition = {},
): Report {
  const { reads } = report;
  const findings = report.findings.map((finding) => findingOf(finding, prefix)).toSorted(compareFindings);
  const news = findings.filter(({ state }) => state === 'new');
  const known = findings.length - news.length;
  const accepted = report.accepted.reduce(
    (sum, each) => sum + (each.isExpired ? 0 : each.findings.length),
    0,
  );
  return {
    title: 'Compile',
    outcome: news.some(({ severity }) => severity === 'error') ? 'failed' : 'passed',
    headline: `${readCount(report.pipelines, report.unreadable)} compiled: ${numberOf(news.length, known > 0 ? 'new finding' : 'finding')}.`,
    facts: [
      ...(report.withoutColumns === true
        ? [['columns', 'not checked'] as const]
        : [['reads of tables with known columns', `${reads.bound} of ${reads.total}`] as const]),
      ...(known > 0 ? [['known findings', String(known)] as const] : []),
      ...(accepted > 0 ? [['accepted findings', String(accepted)] as const] : []),
    ],
    findings,
    tables: [unknownTable(report, prefix), outsideTable(report), acceptedTable(report, prefix)],
    notes: [...notes, ...acceptedNotes(report), ...cutNotes(report)],
  };
}

/** How the findings of a compilation count in the report of tests. */
export interface CompiledOptions {
  readonly prefix: string;
  /** Whether its findings are warnings, which fail nothing; a pipeline that cannot be read fails in any case. */
  readonly onlyWarns: boolean;
}

/** Adds the findings of the compilation of a project to the report of its tests. */
export function withCompiled(
  report: Report,
  compiled: CompileReport,
  { prefix, onlyWarns }: CompiledOptions,
): Report {
  const {
    outcome: ownOutcome,
    headline,
    facts,
    findings: all,
    tables = [],
    notes,
  } = reportOfCompile(compiled, { prefix });
  // What is not known because a pipeline cannot be read fails in any case.
  const isWarned = ({ severity, errorType }: Finding) =>
    onlyWarns && severity === 'error' && errorType === undefined;
  const findings = all
    .filter(({ state }) => state === 'new')
    .map((finding) => (isWarned(finding) ? { ...finding, severity: 'warning' as const } : finding));
  const isFailed = onlyWarns
    ? findings.some(({ severity }) => severity === 'error')
    : ownOutcome !== 'passed';
  const outcome = isFailed ? ownOutcome : 'passed';
  const lines = findingLines(findings);
  return {
    ...report,
    outcome: report.outcome === 'passed' ? outcome : report.outcome,
    headline: findings.length === 0 ? report.headline : `${report.headline} ${headline}`,
    facts: [...report.facts, ...facts],
    notes: [...report.notes, ...notes],
    tables: [...(report.tables ?? []), ...tables.filter(({ isDetail }) => isDetail !== true)],
    findings: [...report.findings, ...findings],
    blocks: [
      ...(report.blocks ?? []),
      ...(lines.length === 0 ? [] : [{ title: 'Pipelines that do not fit together', lines }]),
    ],
  };
}

/** The accepted findings, with their reasons. */
export function suppressedOf({ accepted }: CompileReport): readonly SuppressedFinding[] {
  return accepted
    .filter(({ isExpired }) => !isExpired)
    .flatMap(({ findings, reason }) =>
      findings.map((finding) => ({ ...findingOf(finding, ''), reason, suppressedBy: 'settings' as const })),
    );
}

export function findingOf(finding: ConcludedFinding, prefix: string): Finding {
  const { file, line, column, component, related, subject, severity, state, fingerprint } = finding;
  const writers = related.map((place) => `${prefix}${place.file}:${place.line}`);
  const isNamed = isAboutChange(finding.rule);
  const where = writers.length === 0 || isNamed ? '' : ` (the table is created at ${writers.join(', ')})`;
  return {
    rule: ruleName(finding),
    severity,
    file: `${prefix}${file}`,
    line,
    column,
    endLine: line,
    endColumn: column + 1,
    ...(component === undefined ? {} : { component }),
    subject,
    message: `${finding.message}${where}`,
    ...(isUnreadable(finding.rule) ? { errorType: unreadableError } : {}),
    source: 'millrace',
    state,
    fingerprint,
  };
}

function unknownTable({ unknown }: CompileReport, prefix: string): ReportTable {
  return {
    title: 'Components that Millrace cannot analyse completely',
    columns: ['components', 'why', 'for example'],
    rows: unknown
      .slice(0, maxRows)
      .map(({ count, reason, example }) => [
        String(count),
        reason,
        `${prefix}${example.file}:${example.line}`,
      ]),
    isDetail: true,
  };
}

function outsideTable({ outside }: CompileReport): ReportTable {
  return {
    title: 'Tables to declare, because their columns are not known',
    columns: ['reads', 'to compile', 'table'],
    rows: undeclared(outside)
      .slice(0, maxRows)
      .map(({ table: { database, schema, table }, reads, binds }) => [
        String(reads),
        String(binds),
        `${database}.${schema}.${table}`,
      ]),
    isDetail: true,
  };
}

function undeclared(outside: readonly OutsideTable[]): readonly OutsideTable[] {
  return outside.filter(({ isKnown }) => !isKnown);
}

/** What entries of `compile.accept` leave open, until when. */
function acceptedTable({ accepted }: CompileReport, prefix: string): ReportTable {
  const open = accepted.filter(({ findings, isExpired }) => findings.length > 0 && !isExpired);
  return {
    title: 'Accepted in millrace.yaml, and still open',
    columns: ['until', 'what', 'findings', 'reason'],
    rows: open.map((entry) => [
      entry.until ?? 'no date',
      acceptanceText(entry),
      placesText(openPlaces(entry).map(({ file, line }) => `${prefix}${file}:${line}`)),
      entry.reason,
    ]),
  };
}

function placesText(places: readonly string[]): string {
  const shown = places.slice(0, maxRows);
  const left = places.length - shown.length;
  return listText(left > 0 ? [...shown, `${left} more`] : shown);
}

/** Of a change the readers, and else the findings themselves. */
function openPlaces({
  findings,
}: AcceptedFindings): readonly { readonly file: string; readonly line: number }[] {
  return findings.flatMap((finding): readonly Pick<ConcludedFinding, 'file' | 'line'>[] =>
    isAboutChange(finding.rule) && finding.related.length > 0 ? finding.related : [finding],
  );
}

function acceptanceText({ rule, table, column, file, component }: AcceptedFindings): string {
  const name = [table, column].filter((part) => part !== undefined).join('.');
  return [rule, name === '' ? undefined : name, component, file]
    .filter((part) => part !== undefined)
    .join(', ');
}

function acceptedNotes({ accepted }: CompileReport): readonly string[] {
  return accepted.flatMap((entry) => {
    const what = `The entry "${acceptanceText(entry)}" of compile.accept in millrace.yaml`;
    if (entry.isExpired && entry.findings.length > 0)
      return [`${what} expired on ${entry.until ?? ''}: change what still reads it, or set a new date.`];
    if (entry.isUseless) return [`${what} matches no finding. Remove it if the change is complete.`];
    return [];
  });
}

function cutNotes({ unknown, outside }: CompileReport): readonly string[] {
  const more = (count: number, what: string) => (count > maxRows ? [`${count - maxRows} more ${what}.`] : []);
  return [
    ...more(unknown.length, 'reasons why components are not compiled'),
    ...more(undeclared(outside).length, 'tables to declare'),
  ];
}
