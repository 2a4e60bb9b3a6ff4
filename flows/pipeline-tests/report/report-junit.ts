import { escapeXml } from '../../../lib/core/text/escape-xml.ts';
import { differenceLines } from './report-lines.ts';
import type { TestReport } from '../run/run-tests.ts';
import type { TestResult } from '../compare/test-result.ts';

/** The report as JUnit XML: one suite for each test file. */
export function reportJunit({ tests, failed, refused, problems = [] }: TestReport): readonly string[] {
  const files = Map.groupBy(tests, ({ file }) => file);
  const all = counts(tests.length + problems.length, failed, refused + problems.length);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="millrace test" ${all} time="${seconds(tests)}">`,
    ...[...files].flatMap(([file, own]) => [
      `  <testsuite name="${escapeXml(file)}" ${counts(own.length, countOf(own, 'failed'), countOf(own, 'refused'))} time="${seconds(own)}">`,
      ...own.flatMap(testCase),
      '  </testsuite>',
    ]),
    ...problemSuites(problems),
    '</testsuites>',
  ];
}

/** A file that is wrong has an error for each problem, so that nobody takes its tests for passed. */
function problemSuites(problems: NonNullable<TestReport['problems']>): readonly string[] {
  return [...Map.groupBy(problems, ({ file }) => file)].flatMap(([file, own]) => [
    `  <testsuite name="${escapeXml(file)}" ${counts(own.length, 0, own.length)} time="0.000">`,
    ...own.flatMap(({ line, column, message }) => {
      const text = escapeXml(message);
      return [
        `    <testcase name="line ${line}, column ${column}" classname="${escapeXml(file)}" file="${escapeXml(file)}" line="${line}" time="0.000">`,
        `      <error message="${text}">${escapeXml(`${file}:${line}:${column}`)} ${text}</error>`,
        '    </testcase>',
      ];
    }),
    '  </testsuite>',
  ]);
}

function testCase(test: TestResult): readonly string[] {
  const { name, pipeline, file, line, durationMs, status, differences } = test;
  const head = `    <testcase name="${escapeXml(name)}" classname="${escapeXml(pipeline)}" file="${escapeXml(file)}" line="${line}" time="${(durationMs / 1000).toFixed(3)}"`;
  if (status === 'passed') return [`${head}/>`];
  // JUnit calls a test that could not be carried out an error.
  const element = status === 'refused' ? 'error' : 'failure';
  const message = escapeXml(differences[0]?.message ?? '');
  const text = escapeXml(differenceLines(test).join('\n'));
  return [
    `${head}>`,
    `      <${element} message="${message}">${text}</${element}>`,
    '    </testcase>',
  ].flatMap((one) => one.split('\n'));
}

function counts(all: number, failures: number, errors: number): string {
  return `tests="${all}" failures="${failures}" errors="${errors}"`;
}

function countOf(tests: readonly TestResult[], status: TestResult['status']): number {
  return tests.filter((test) => test.status === status).length;
}

function seconds(tests: readonly TestResult[]): string {
  return (tests.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000).toFixed(3);
}
