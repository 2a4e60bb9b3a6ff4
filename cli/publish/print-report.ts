import type { Report } from '../../lib/report/report.ts';
import type { CommonOptions, Session } from '../kit/session.ts';

/**
 * Prints a report, and its notes as warnings. With `--json`, the result goes to stdout for a program, and the
 * warnings to stderr for a person.
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
