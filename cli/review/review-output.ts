import path from 'node:path';
import { ruleCounts, type RuleCount } from '../../flows/review/conclude/statistics.ts';
import { readSourceLines } from '../../flows/review/conclude/source-lines.ts';
import type { ReviewReport, ReviewRequest } from '../../flows/review/scope/review-request.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { version } from '../../lib/core/values/version.ts';
import { commitSnapshot } from '../../lib/git/snapshot.ts';
import type { Io } from '../terminal/io.ts';
import { jsonLines } from '../terminal/json-lines.ts';
import { tableLines } from '../../lib/core/text/table-lines.ts';
import { reportOfReview, verdictLine } from '../../flows/review/report.ts';
import { reviewLines, updateCommand } from './review-lines.ts';
import type { ReviewOptions } from './review-options.ts';
import type { Session } from '../kit/session.ts';
import { writeFileAtomically } from '../kit/write-file-atomically.ts';

/** Throws Failure 'usage' for options of the output that contradict each other. */
export function refuseOutputOptions({ json, format, statistics, outputFile }: ReviewOptions): void {
  const isStructured = format !== undefined && format !== 'text' && format !== 'json';
  if (statistics === true && isStructured) {
    throw new Failure('usage', {
      message: `--statistics cannot be combined with --format ${format}, which has no place for statistics.`,
      where: { input: '--statistics' },
      hint: 'Remove --statistics, or use --format text or json.',
    });
  }
  if (outputFile === '-') {
    throw new Failure('usage', {
      message: '--output-file - is not a file: the report goes to standard output without this option.',
      where: { input: '--output-file' },
      hint: 'Remove --output-file. For a file of that name, write ./-.',
    });
  }
  if (outputFile !== undefined && json === true) {
    throw new Failure('usage', {
      message:
        '--json cannot be combined with --output-file: --json prints the report, and --output-file writes it to a file.',
      where: { input: '--output-file' },
      hint: 'Replace --json by --format json, to write the report as JSON to the file.',
    });
  }
}

/** Renders the report in the format of `--format`. */
export async function renderReview(
  report: ReviewReport,
  shown: object,
  {
    format = 'text',
    statistics,
    request,
    io,
    ...options
  }: ReviewOptions & {
    readonly request: ReviewRequest;
    readonly io: Io;
  },
): Promise<readonly string[]> {
  switch (format) {
    case 'json':
      return jsonLines(shown);
    case 'sarif': {
      const { sarifOf } = await import('../../flows/review/formats/sarif.ts');
      return jsonLines(sarifOf(report, version));
    }
    case 'gitlab': {
      const { reviewGitlab } = await import('../../flows/review/formats/report-gitlab.ts');
      return jsonLines(reviewGitlab(report));
    }
    case 'junit': {
      const { reviewJunit } = await import('../../flows/review/formats/report-junit.ts');
      return reviewJunit(report, request.failOn);
    }
    case 'markdown': {
      const { fileLimit, reportMarkdown } = await import('../../lib/report/markdown.ts');
      const shownReport = reportOfReview(report, { updateCommand: updateCommand(options) });
      return reportMarkdown(shownReport, { limit: fileLimit }).split('\n');
    }
    case 'text': {
      if (statistics === true) return [...statisticsLines(ruleCounts(report)), verdictLine(report)];
      const snapshot = request.snapshot ?? commitSnapshot(request.repository, report.commit);
      const newFindings = report.findings.filter(({ state }) => state === 'new');
      return reviewLines(report, {
        io,
        options,
        sourceOf: await readSourceLines(snapshot, newFindings),
      });
    }
  }
}

/** The report for `--format json`. With `--statistics`, it has the counts of each rule instead of the findings. */
export function jsonOfReview(report: ReviewReport, statistics: boolean): object {
  const { nextBaseline: _, ...shown } = report;
  if (!statistics) return shown;
  const { outcome, counts, reviewed } = report;
  return { outcome, counts, reviewed: reviewed.length, statistics: ruleCounts(report) };
}

/** Writes the report to the file of `--output-file`, and prints one line with the counts. */
export async function writeReport(
  { io, output, redact }: Session,
  file: string,
  { lines, report }: { readonly lines: readonly string[]; readonly report: ReviewReport },
): Promise<void> {
  await writeFileAtomically(path.resolve(io.cwd, file), lines.map((line) => `${redact(line)}\n`).join(''));
  output.result({}, [`Wrote ${file}.`, verdictLine(report)]);
}

function statisticsLines(counts: readonly RuleCount[]): readonly string[] {
  if (counts.length === 0) return [];
  const rows = counts.map(({ rule, severity, count, files, fixable, known }) => [
    String(count),
    String(known),
    String(files),
    String(fixable),
    severity,
    rule,
  ]);
  return [...tableLines(['new', 'known', 'files', 'fixable', 'severity', 'rule'], rows), ''];
}
