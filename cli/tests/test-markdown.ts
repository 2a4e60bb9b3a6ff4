import { coverageLines, differenceLines, totalLine } from '../../flows/pipeline-tests/report/report-lines.ts';
import type { TestReport } from '../../flows/pipeline-tests/run/run-tests.ts';
import { markdownBlock, markdownCode } from '../../lib/report/markdown-text.ts';

/** The report of tests for a job summary or a comment: the counts, then every failed test. */
export function testMarkdown(report: TestReport): readonly string[] {
  const failed = report.tests.filter(({ status }) => status !== 'passed');
  return [
    `**${totalLine(report)}**`,
    ...failed.flatMap((test) => [
      '',
      `${markdownCode(test.name)} in ${markdownCode(`${test.file}:${test.line}`)}`,
      '',
      ...markdownBlock(differenceLines(test)),
    ]),
    ...problemLines(report),
    ...(report.coverage === undefined
      ? []
      : ['', '**Coverage**', '', ...markdownBlock(coverageLines(report.coverage))]),
  ];
}

function problemLines({ problems = [] }: TestReport): readonly string[] {
  const lines = problems.map(({ file, line, column, message }) => `${file}:${line}:${column}  ${message}`);
  return lines.length === 0
    ? []
    : ['', '**Files that are wrong; their tests did not run**', '', ...markdownBlock(lines)];
}
