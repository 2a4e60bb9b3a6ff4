import type { TestReport } from '../../flows/pipeline-tests/run/run-tests.ts';
import type { ExitCode } from '../../lib/core/outcomes/outcome.ts';
import type { Session } from '../kit/session.ts';
import { jsonLines } from '../terminal/json-lines.ts';
import type { TestOptions } from './test-options.ts';

/** The report in the chosen form; nothing with `--json`, which prints the report itself. */
export async function linesOf(
  report: TestReport,
  { json, format = 'text' }: Pick<TestOptions, 'json' | 'format'>,
): Promise<readonly string[]> {
  if (json === true) return [];
  switch (format) {
    case 'json':
      return jsonLines(report);
    case 'junit': {
      const { reportJunit } = await import('../../flows/pipeline-tests/report/report-junit.ts');
      return reportJunit(report);
    }
    case 'markdown': {
      const { reportOfTests } = await import('../../flows/pipeline-tests/report/report.ts');
      const { fileLimit, reportMarkdown } = await import('../../lib/report/markdown.ts');
      return reportMarkdown(reportOfTests(report), { limit: fileLimit }).split('\n');
    }
    case 'text': {
      const { reportOfTests, totalLine } = await import('../../flows/pipeline-tests/report/report.ts');
      const { terminalLines } = await import('../../lib/report/terminal.ts');
      // What is wrong in files is the error after the report.
      const { problems: _, ...ran } = report;
      return terminalLines({ ...reportOfTests(ran), headline: totalLine(report) });
    }
  }
}

/** Says what is wrong in files, after the result. */
export async function problemsOf(
  session: Session,
  problems: NonNullable<TestReport['problems']>,
  json: boolean | undefined,
): Promise<ExitCode> {
  const { testFailure } = await import('../../flows/pipeline-tests/files/test-problem.ts');
  const failure = testFailure(problems);
  if (json !== true) session.output.failure(failure);
  return failure.exitCode;
}
