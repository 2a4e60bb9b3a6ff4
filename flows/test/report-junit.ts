import { sanitizeText } from '../../lib/core/sanitize-text.ts';
import { differenceLines } from './report-lines.ts';
import type { TestReport } from './run-tests.ts';
import type { TestResult } from './test-result.ts';

/** The report as JUnit XML: one suite for each test file. */
export function reportJunit({ tests, failed, refused }: TestReport): readonly string[] {
  const files = Map.groupBy(tests, ({ file }) => file);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="millrace test" ${counts(tests.length, failed, refused)} time="${seconds(tests)}">`,
    ...[...files].flatMap(([file, own]) => [
      `  <testsuite name="${escapeXml(file)}" ${counts(own.length, countOf(own, 'failed'), countOf(own, 'refused'))} time="${seconds(own)}">`,
      ...own.flatMap(testCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ];
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

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML has no form at all for most control characters. */
function escapeXml(text: string): string {
  return sanitizeText(text, () => '\uFFFD').replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
