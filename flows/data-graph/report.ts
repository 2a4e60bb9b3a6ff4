import { createHash } from 'node:crypto';
import type { Finding } from '../../lib/core/outcomes/finding.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import type { Report, ReportTable } from '../../lib/report/report.ts';
import { findingLines } from '../../lib/report/terminal.ts';
import type { CompileFinding, CompileReport, OutsideTable } from './compile-report.ts';

/** What an entrance adds to the report. */
export interface CompileAddition {
  /** What makes a path of the project one of the repository. */
  readonly prefix?: string;
  readonly notes?: readonly string[];
}

/** How many rows a table of the report has at most. */
const maxRows = 10;

/** A compilation as a report: its facts and its words, the same for every entrance. */
export function reportOfCompile(
  report: CompileReport,
  { prefix = '', notes = [] }: CompileAddition = {},
): Report {
  const { findings, reads } = report;
  return {
    title: 'Compile',
    outcome: findings.some(({ severity }) => severity === 'error') ? 'failed' : 'passed',
    headline: `${numberOf(report.pipelines, 'pipeline')} compiled: ${numberOf(findings.length, 'finding')}.`,
    facts: [['reads of tables with known columns', `${reads.bound} of ${reads.total}`]],
    findings: findings.map((finding) => findingOf(finding, prefix)),
    tables: [unknownTable(report, prefix), outsideTable(report)],
    notes: [...notes, ...cutNotes(report)],
  };
}

/** How a compilation counts in the report of tests. */
export interface CompiledOptions {
  readonly prefix: string;
  /** Whether its findings are warnings, which fail nothing. */
  readonly onlyWarns: boolean;
}

/** The report of tests with the findings of the compilation of the same project. */
export function withCompiled(
  report: Report,
  compiled: CompileReport,
  { prefix, onlyWarns }: CompiledOptions,
): Report {
  const { outcome: ownOutcome, headline, facts, findings: errors } = reportOfCompile(compiled, { prefix });
  const outcome = onlyWarns ? 'passed' : ownOutcome;
  const findings = onlyWarns
    ? errors.map((finding) => ({ ...finding, severity: 'warning' as const }))
    : errors;
  const lines = findingLines(findings);
  return {
    ...report,
    outcome: report.outcome === 'passed' ? outcome : report.outcome,
    headline: findings.length === 0 ? report.headline : `${report.headline} ${headline}`,
    facts: [...report.facts, ...facts],
    findings: [...report.findings, ...findings],
    blocks: [
      ...(report.blocks ?? []),
      ...(lines.length === 0 ? [] : [{ title: 'Pipelines that do not fit together', lines }]),
    ],
  };
}

function findingOf(finding: CompileFinding, prefix: string): Finding {
  const { file, line, column, component, related } = finding;
  const rule = `compile/${finding.rule}`;
  const writers = related.map((place) => `${prefix}${place.file}:${place.line}`);
  const isNamed = finding.rule === 'breaking-change';
  const where = writers.length === 0 || isNamed ? '' : ` (the table is created at ${writers.join(', ')})`;
  return {
    rule,
    severity: finding.severity,
    file: `${prefix}${file}`,
    line,
    column,
    endLine: line,
    endColumn: column + 1,
    ...(component === undefined ? {} : { component }),
    message: `${finding.message}${where}`,
    source: 'millrace',
    state: 'new',
    fingerprint: createHash('sha256')
      .update(JSON.stringify([rule, finding.pipeline, component, finding.message]))
      .digest('hex'),
  };
}

function unknownTable({ unknown }: CompileReport, prefix: string): ReportTable {
  return {
    title: 'Components of which not everything is known',
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
    title: 'Tables that no pipeline creates, and whose columns are not known',
    columns: ['reads', 'table'],
    rows: undeclared(outside)
      .slice(0, maxRows)
      .map(({ table: { database, schema, table }, reads }) => [
        String(reads),
        `${database}.${schema}.${table}`,
      ]),
    isDetail: true,
  };
}

function undeclared(outside: readonly OutsideTable[]): readonly OutsideTable[] {
  return outside.filter(({ isKnown }) => !isKnown);
}

function cutNotes({ unknown, outside }: CompileReport): readonly string[] {
  const more = (count: number, what: string) => (count > maxRows ? [`${count - maxRows} more ${what}.`] : []);
  return [
    ...more(unknown.length, 'reasons why components are not bound'),
    ...more(undeclared(outside).length, 'tables that no pipeline creates'),
  ];
}
