import {
  type DifferenceGroup,
  groupDifferences,
} from '../../flows/pipeline-tests/report/difference-groups.ts';
import { coverageLines, differenceLines, totalLine } from '../../flows/pipeline-tests/report/report-lines.ts';
import { rowTexts } from '../../flows/pipeline-tests/report/row-lines.ts';
import type { TestReport } from '../../flows/pipeline-tests/run/run-tests.ts';
import type { TestPlace } from '../../flows/pipeline-tests/files/test-file.ts';
import type { TestResult } from '../../flows/pipeline-tests/compare/test-result.ts';
import type { Finding } from '../../lib/core/outcomes/finding.ts';
import type { Report, ReportBlock } from '../../lib/report/report.ts';

/**
 * Tests as a report: each false expectation is a finding on its line, and so is the component that caused it.
 * @param prefix what makes a path of the project one of the repository
 */
export function reportOfTests(
  report: TestReport,
  {
    prefix,
    commit = '',
    notes = [],
  }: {
    readonly prefix: string;
    /** The tested commit, if it is known. */
    readonly commit?: string;
    readonly notes?: readonly string[];
  },
): Report {
  const failed = report.tests.filter(({ status }) => status !== 'passed');
  return {
    title: 'Test',
    outcome: failed.length === 0 ? 'passed' : 'failed',
    headline: totalLine(report),
    facts: [...(commit === '' ? [] : [['commit', commit] as const]), ...coverageFacts(report)],
    findings: failed.flatMap((test) =>
      groupDifferences(test.differences).flatMap((group) => findingsOf(test, group, prefix)),
    ),
    tables: coverageTables(report),
    blocks: [...failed.map((test) => blockOf(test, prefix)), ...unreachedBlocks(report)],
    notes,
  };
}

function findingsOf(test: TestResult, group: DifferenceGroup, prefix: string): Finding[] {
  const { place, sentence, more } = group;
  const { kind, component, at } = place;
  const isRefused = kind === 'refused';
  const shown =
    more.length === 0 ? sentence : `${sentence.replace(/:$/u, '')} (the job summary has the lines to add)`;
  const what = `${test.name}: ${shown}${firstRow(group)}`;
  const common = { test, component, prefix };
  const own = finding(place, `millrace/test-${isRefused ? 'refused' : 'failed'}`, what, common);
  if (at === undefined || component === undefined || isRefused) return [own];
  const where = `${prefix}${place.file}:${place.line}`;
  const message = `The component "${component}" causes a false expectation of the test "${test.name}" (${where}): ${sentence}`;
  // A warning: the expectation itself may be wrong.
  return [own, { ...finding(at, 'millrace/test-component', message, common), severity: 'warning' }];
}

/** The first row that differs, for a reader who sees only the annotation. */
function firstRow({ rows }: DifferenceGroup): string {
  const [first] = rows;
  if (first === undefined) return '';
  return `. First: ${rowTexts(first).join('; ')}`;
}

interface Common {
  readonly test: TestResult;
  readonly component: string | undefined;
  readonly prefix: string;
}

function finding(
  { file, line, column }: TestPlace,
  rule: string,
  message: string,
  { test, component, prefix }: Common,
): Finding {
  return {
    rule,
    severity: 'error',
    file: `${prefix}${file}`,
    line,
    column,
    endLine: line,
    endColumn: column + 1,
    ...(component === undefined ? {} : { component }),
    message,
    source: 'millrace',
    state: 'new',
    fingerprint: [rule, test.file, test.name, message].join(' '),
  };
}

function blockOf(test: TestResult, prefix: string): ReportBlock {
  return { title: `${prefix}${test.file}:${test.line} ${test.name}`, lines: differenceLines(test) };
}

function coverageFacts({ coverage }: TestReport): Report['facts'] {
  if (coverage === undefined) return [];
  const sum = (what: 'components' | 'transitions', which: 'reached' | 'all') =>
    coverage.pipelines.reduce((total, pipeline) => total + pipeline[what][which], 0);
  const fact = (what: 'components' | 'transitions') =>
    [`${what} reached`, `${sum(what, 'reached')} of ${sum(what, 'all')}`] as const;
  return [fact('components'), fact('transitions')];
}

function coverageTables({ coverage }: TestReport): NonNullable<Report['tables']> {
  if (coverage === undefined) return [];
  const rows = coverage.pipelines.map(({ pipeline, components, transitions }) => [
    pipeline,
    `${components.reached} of ${components.all}`,
    `${transitions.reached} of ${transitions.all}`,
  ]);
  return [{ title: 'Coverage', columns: ['pipeline', 'components', 'transitions'], rows, isDetail: true }];
}

/** What no test reached, on its lines. */
function unreachedBlocks({ coverage }: TestReport): ReportBlock[] {
  const pipelines = coverage?.pipelines.filter(({ unreached }) => unreached.length > 0) ?? [];
  return pipelines.length === 0
    ? []
    : [{ title: 'What no test reached', lines: coverageLines({ pipelines }), isDetail: true }];
}
