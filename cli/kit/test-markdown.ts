import { coverageLines, differenceLines, totalLine } from '../../flows/test/report-lines.ts';
import type { TestReport } from '../../flows/test/run-tests.ts';
import { sanitizeText } from '../../lib/core/sanitize-text.ts';
import { markdownCode } from '../../lib/github/foreign-text.ts';

/** The report of tests for a job summary or a comment: the counts, then every failed test. */
export function testMarkdown(report: TestReport): readonly string[] {
  const failed = report.tests.filter(({ status }) => status !== 'passed');
  return [
    `**${totalLine(report)}**`,
    ...failed.flatMap((test) => [
      '',
      `${markdownCode(test.name)} in ${markdownCode(`${test.file}:${test.line}`)}`,
      '',
      ...codeBlock(differenceLines(test)),
    ]),
    ...(report.coverage === undefined
      ? []
      : ['', '**Coverage**', '', ...codeBlock(coverageLines(report.coverage))]),
  ];
}

/** In a code block, nothing is a mention, a link or HTML; its fence is longer than any inside. */
function codeBlock(lines: readonly string[]): readonly string[] {
  const text = lines.map((line) => sanitizeText(line, () => '\uFFFD')).join('\n');
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, ...text.split('\n'), fence];
}
