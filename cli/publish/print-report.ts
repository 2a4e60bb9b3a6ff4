import type { Report } from '../../lib/report/report.ts';
import type { CommonOptions, Session } from '../kit/session.ts';

/**
 * Prints a report whose notes are warnings. With `--json` the result is for a program, and the warnings go to stderr, for the
 * person who reads the log.
 */
export async function printReport(
  { output }: Session,
  result: object,
  report: Report,
  { json }: Pick<CommonOptions, 'json'>,
): Promise<void> {
  if (json === true) for (const note of report.notes) output.logger.warn(note);
  const { terminalLines } = await import('../../lib/report/terminal.ts');
  output.result(result, terminalLines(report));
}
