import type { TestReport } from '../../flows/pipeline-tests/run/test-report.ts';
import path from 'node:path';
import type { ExitCode, Outcome } from '../../lib/core/outcomes/outcome.ts';
import type { Session } from '../kit/session.ts';
import { jsonLines } from '../terminal/json-lines.ts';
import type { wholeFormats } from './test-options.ts';

/** How a report is printed. */
export interface ReportForm {
  readonly json?: boolean | undefined;
  readonly format?: (typeof wholeFormats)[number] | undefined;
  /** For a person, such as which part of the tests ran. */
  readonly notes?: readonly string[] | undefined;
}

/** The report in the chosen form; nothing with `--json`, which prints the report itself. */
export async function linesOf(
  report: TestReport,
  { json, format = 'text', notes = [] }: ReportForm,
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
      return reportMarkdown(reportOfTests(report, { notes }), { limit: fileLimit }).split('\n');
    }
    case 'text': {
      const { reportOfTests, totalLine } = await import('../../flows/pipeline-tests/report/report.ts');
      const { terminalLines } = await import('../../lib/report/terminal.ts');
      // What is wrong in files is the error after the report.
      const { problems: _, ...ran } = report;
      return terminalLines({ ...reportOfTests(ran, { notes }), headline: totalLine(report) });
    }
  }
}

/** Prints an error for each invalid file, after the result. */
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

/**
 * Prints the report of tests, and writes their durations if `--write-durations` asks for it. Then reports invalid
 * files as an error.
 */
export async function reportTests(
  session: Session,
  report: TestReport,
  {
    writeDurations,
    lines = [],
    ...form
  }: ReportForm & {
    readonly writeDurations?: string | undefined;
    /** Lines before the report. */
    readonly lines?: readonly string[];
  },
): Promise<Outcome | ExitCode> {
  const { json, format = 'text' } = form;
  // If no test ran, the error is enough for a person; a program always gets its report.
  if (report.tests.length > 0 || report.problems === undefined || json === true || format !== 'text')
    session.output.result(report, [...lines, ...(await linesOf(report, form))]);
  await writeDurationsOf(session, report, writeDurations);
  return endOf(session, report, json);
}

/** Writes the durations of the tests of a report to a file, if one is named. */
export async function writeDurationsOf(
  session: Session,
  { tests }: TestReport,
  file: string | undefined,
): Promise<void> {
  if (file === undefined) return;
  const { durationsText } = await import('../../flows/pipeline-tests/shards/durations-file.ts');
  const { writeFileAtomically } = await import('../kit/write-file-atomically.ts');
  await writeFileAtomically(path.resolve(session.io.cwd, file), durationsText(tests));
}

/** The outcome of the command for a report of tests. */
export async function endOf(
  session: Session,
  { failed, refused, problems }: TestReport,
  json: boolean | undefined,
): Promise<Outcome | ExitCode> {
  if (problems === undefined) return failed + refused === 0 ? 'passed' : 'failed';
  return problemsOf(session, problems, json);
}
