import type { FileProblem } from '../../../engine/index.ts';
import { type JunitCase, junitLines, type JunitSuite } from '../../../lib/report/junit.ts';
import type { TestResult } from '../compare/test-result.ts';
import type { TestReport } from '../run/test-report.ts';
import { differenceLines } from './difference-lines.ts';

/** The report as JUnit XML: one suite for each test file. */
export function reportJunit({ tests, problems = [] }: TestReport): readonly string[] {
  return junitLines('millrace test', [
    ...suitesOf(tests, testCase),
    // A file that is wrong has an error for each problem, so that nobody takes its tests for passed.
    ...suitesOf(problems, problemCase),
  ]);
}

function suitesOf<Part extends { readonly file: string }>(
  parts: readonly Part[],
  caseOf: (part: Part) => JunitCase,
): readonly JunitSuite[] {
  return [...Map.groupBy(parts, ({ file }) => file)].map(([name, group]) => ({
    name,
    cases: group.map(caseOf),
  }));
}

function problemCase({ file, line, column, message }: FileProblem): JunitCase {
  return {
    name: `line ${line}, column ${column}`,
    className: file,
    file,
    line,
    durationMs: 0,
    result: { kind: 'error', message, text: `${file}:${line}:${column} ${message}` },
  };
}

function testCase(test: TestResult): JunitCase {
  const { name, pipeline: className, file, line, durationMs, status, differences } = test;
  const about = { name, className, file, line, durationMs };
  if (status === 'passed') return about;
  return {
    ...about,
    result: {
      kind: status === 'refused' ? 'error' : 'failure',
      message: differences[0]?.message ?? '',
      text: differenceLines(test).join('\n'),
    },
  };
}
