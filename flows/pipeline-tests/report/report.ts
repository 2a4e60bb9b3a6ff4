import type { FileProblem } from '../../../engine/index.ts';
import type { Finding } from '../../../lib/core/outcomes/finding.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { oneLine } from '../../../lib/core/text/sanitize-text.ts';
import { describeCallRoot } from '../../../lib/pipelines/model/call-root.ts';
import type { Report, ReportBlock } from '../../../lib/report/report.ts';
import type { TestResult } from '../compare/test-result.ts';
import type { TestPlace } from '../files/test-file.ts';
import type { Coverage } from '../run/coverage.ts';
import type { TestReport } from '../run/test-report.ts';
import { type DifferenceGroup, groupDifferences } from './difference-groups.ts';
import { differenceLines } from './difference-lines.ts';
import { rowTexts } from './row-lines.ts';

/** What the command or action adds to the report. */
export interface TestAddition {
  /** What makes a path of the project one of the repository. */
  readonly prefix?: string;
  /** The tested commit, if it is known. */
  readonly commit?: string;
  readonly notes?: readonly string[];
}

/**
 * The report of tests, the same for command, action and comment. Each false expectation is a finding on its line,
 * and so is the component that caused it; the blocks show the details.
 */
export function reportOfTests(
  report: TestReport,
  { prefix = '', commit = '', notes = [] }: TestAddition = {},
): Report {
  const failed = report.tests.filter(({ status }) => status !== 'passed');
  return {
    title: 'Test',
    outcome: outcomeOf(report),
    headline: totalLine(report),
    facts: [
      ...(commit === '' ? [] : [['commit', commit.slice(0, 12)] as const]),
      ...coverageFacts(report.coverage),
    ],
    findings: failed.flatMap((test) =>
      groupDifferences(test.differences).flatMap((group) => findingsOf(test, group, prefix)),
    ),
    blocks: [
      ...problemBlocks(report, prefix),
      ...failed.map((test) => failureBlock(test, prefix)),
      ...listBlocks(report, prefix),
      ...coverageBlocks(report.coverage),
    ],
    notes: [...(report.callRoot === undefined ? [] : [describeCallRoot(report.callRoot)]), ...notes],
  };
}

function outcomeOf({ failed, refused, problems = [] }: TestReport): Outcome {
  if (problems.length > 0) return 'error';
  return failed + refused === 0 ? 'passed' : 'failed';
}

/** The line with the totals: `3 tests: 2 passed (1 from the cache), 1 failed, 0 refused.` */
export function totalLine({ tests, passed, failed, refused, problems = [] }: TestReport): string {
  const cached = tests.filter(({ isCached }) => isCached === true).length;
  const fromCache = cached === 0 ? '' : ` (${cached} from the cache)`;
  const total = `${numberOf(tests.length, 'test')}: ${passed} passed${fromCache}, ${failed} failed, ${refused} refused`;
  const parts = tests.length === 0 && problems.length > 0 ? [] : [total];
  return `${[...parts, ...wrongFiles(problems)].join('; ')}.`;
}

/** The text about files with errors: `1 file is wrong, so its tests did not run`; empty if there are none. */
export function wrongFiles(problems: readonly FileProblem[]): readonly string[] {
  const count = new Set(problems.map(({ file }) => file)).size;
  if (count === 0) return [];
  return [
    `${numberOf(count, 'file is', 'files are')} wrong, so ${count === 1 ? 'its' : 'their'} tests did not run`,
  ];
}

function findingsOf(test: TestResult, group: DifferenceGroup, prefix: string): Finding[] {
  const { place, sentence, more } = group;
  const { kind, component, at } = place;
  const isRefused = kind === 'refused';
  const shown =
    more.length === 0 ? sentence : `${sentence.replace(/:$/u, '')} (the report has the lines to add)`;
  const what = `${test.name}: ${shown}${firstRow(group)}`;
  const common = { test, component, prefix };
  const expectation = finding(place, `millrace/test-${isRefused ? 'refused' : 'failed'}`, what, common);
  if (at === undefined || component === undefined || isRefused) return [expectation];
  const where = `${prefix}${place.file}:${place.line}`;
  const message = `The component "${component}" causes a false expectation of the test "${test.name}" (${where}): ${sentence}`;
  // A warning: the expectation itself may be wrong.
  return [expectation, { ...finding(at, 'millrace/test-component', message, common), severity: 'warning' }];
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

function problemBlocks({ problems = [] }: TestReport, prefix: string): ReportBlock[] {
  if (problems.length === 0) return [];
  const lines = problems.flatMap(({ file, line, column, message }) =>
    `${prefix}${file}:${line}:${column}  ${message}`.split('\n'),
  );
  return [{ title: 'Errors in the files of the project', lines }];
}

function failureBlock(test: TestResult, prefix: string): ReportBlock {
  return {
    title: `${oneLine(prefix + test.file)}:${test.line} ${oneLine(test.name)}`,
    lines: differenceLines(test),
  };
}

/** Every test with its status and its time, by file. */
function listBlocks({ tests }: TestReport, prefix: string): ReportBlock[] {
  return [...Map.groupBy(tests, ({ file }) => file)].map(([file, group]) => ({
    title: oneLine(prefix + file),
    lines: group.map(
      ({ status, name, durationMs, isCached }) =>
        `${status.padEnd(7)}  ${oneLine(name)}  ${isCached === true ? 'from the cache' : `${Math.round(durationMs)} ms`}`,
    ),
    isDetail: true,
  }));
}

function coverageFacts(coverage: Coverage | undefined): Report['facts'] {
  if (coverage === undefined) return [];
  const sum = (what: 'components' | 'transitions', which: 'reached' | 'all') =>
    coverage.pipelines.reduce((total, pipeline) => total + pipeline[what][which], 0);
  const fact = (what: 'components' | 'transitions') =>
    [`${what} reached`, `${sum(what, 'reached')} of ${sum(what, 'all')}`] as const;
  return [fact('components'), fact('transitions')];
}

/** How much of each pipeline the tests reached, and what they did not reach, on its lines. */
function coverageBlocks(coverage: Coverage | undefined): ReportBlock[] {
  if (coverage === undefined) return [];
  const lines = coverage.pipelines.flatMap(({ pipeline, components, transitions, unreached }) => [
    `${oneLine(pipeline)}  ${components.reached} of ${numberOf(components.all, 'component')}, ${transitions.reached} of ${numberOf(transitions.all, 'transition')}`,
    ...unreached.map(({ line, column, message }) => `  ${line}:${column}  ${oneLine(message)}`),
  ]);
  return [{ title: 'Coverage', lines, isDetail: true }];
}
