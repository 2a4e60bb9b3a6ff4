import { EOL, tmpdir } from 'node:os';
import { setOutput } from '@actions/core';
import { annotationCommands } from '../../../lib/report/annotations.ts';
import { shorten } from '../../../lib/core/text/shorten.ts';
import { fileLimit, reportMarkdown } from '../../../lib/report/markdown.ts';
import { compareFindings, type Finding } from '../../../lib/core/outcomes/finding.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { ReportFile, StepResult } from './action.ts';
import { factLines, withoutSecrets } from '../../../lib/report/report.ts';
import { outputLimit } from './output-limit.ts';
import type { Step } from './step.ts';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';

export type StepOutput = Pick<Step, 'environment' | 'redact' | 'log' | 'command'>;

/** The file with the report as a part of the combined comment, beside the file of the output `report-path`. */
export const partName = 'part.json';

/** The file with the part about what the change affects, in the same form. */
export const affectedPartName = 'affected.json';

/** How many findings are logged. The report file has all. */
const maxLogged = 500;

/** Reports the result of a step: log, report files, outputs, job summary. Throws errors of the file system. */
export async function finishStep(
  name: string,
  { report: unmasked, reasons = [], delivery, outputs, details, files = {}, parts = {} }: StepResult,
  { environment, redact, log, command }: StepOutput,
): Promise<void> {
  // Mask before lines are joined and characters are encoded: otherwise a secret with a line break is not recognized.
  const report = withoutSecrets(unmasked, redact);
  logFindings(report.findings, { log, command });
  if (delivery === undefined) {
    const rest = 'the job summary';
    for (const line of annotationCommands(report.findings, { rest })) command(line);
  }
  for (const line of factLines(report.facts)) log(line);
  log(`${report.title}: ${report.outcome}. ${report.headline}`);
  for (const reason of reasons) for (const line of reason.split('\n')) log(line);
  for (const note of delivery?.notes ?? report.notes) log(`note: ${note}`);

  const markdown = redact(delivery?.summary ?? reportMarkdown(report, { limit: fileLimit }));
  const json = redact(JSON.stringify({ action: name, outcome: report.outcome, ...details }, null, 2));
  const reports: Record<string, ReportFile> = {
    'summary-path': { name: 'summary.md', text: markdown },
    'report-path': { name: 'report.json', text: `${json}\n` },
  };
  // Not an output: the action `comment` finds it beside the report.
  const partFiles = Object.entries({ [partName]: report, ...parts }).map(([file, part]) => ({
    name: file,
    text: JSON.stringify(withoutSecrets(part, redact)),
  }));
  for (const [output, file] of Object.entries(files)) {
    reports[output] = { ...file, text: redact(file.text) };
  }
  const paths = writeReports(name, temporaryFolder(environment), { reports, parts: partFiles });
  const all: Record<string, string | number> = { outcome: report.outcome, ...outputs, ...paths };
  for (const [output, value] of Object.entries(all))
    setOutput(output, shorten(redact(String(value)), outputLimit));
  // Not the toolkit's own summary: it keeps the file of its first call for as long as the process runs.
  const summary = environment['GITHUB_STEP_SUMMARY'] ?? '';
  if (summary !== '') await appendFile(summary, `${markdown}${EOL}`);
}

/** Logs all findings in a folded group: GitHub limits the number of annotations, and the log does not show a check run. */
function logFindings(findings: readonly Finding[], { log, command }: Pick<Step, 'log' | 'command'>): void {
  if (findings.length === 0) return;
  command(`::group::${numberOf(findings.length, 'finding')}`);
  for (const { severity, file, line, column, rule, message } of findings
    .toSorted(compareFindings)
    .slice(0, maxLogged)) {
    log(`${severity} ${file}:${String(line)}:${String(column)} ${rule}: ${message}`);
  }
  if (findings.length > maxLogged) log(`and ${String(findings.length - maxLogged)} more`);
  command('::endgroup::');
}

/** The runner's folder for temporary files, otherwise the system's. */
function temporaryFolder({ RUNNER_TEMP: runnerTemp = '' }: StepOutput['environment']): string {
  return runnerTemp === '' ? tmpdir() : runnerTemp;
}

/** One folder per call, because an action may run several times in one job. Throws Failure 'storage-failed' with the folder above it. */
function reportFolder(action: string, temp: string): string {
  try {
    mkdirSync(temp, { recursive: true });
    return mkdtempSync(join(temp, `millrace-${action}-`));
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    throw new Failure('storage-failed', {
      message: `Cannot write the report: the folder for temporary files, "${temp}", does not exist or cannot be written to (${code}).`,
      where: { input: 'RUNNER_TEMP' },
      hint: 'Set RUNNER_TEMP to a folder that the runner can write to. The action itself did its work; only the report is missing.',
      cause,
    });
  }
}

/**
 * Writes files to the job's temporary folder `temp`. Later steps get the paths from the outputs.
 * @returns output → path
 */
function writeReports(
  action: string,
  temp: string,
  {
    reports,
    parts,
  }: { readonly reports: Readonly<Record<string, ReportFile>>; readonly parts: readonly ReportFile[] },
): Record<string, string> {
  const folder = reportFolder(action, temp);
  for (const { name, text } of parts) writeFileSync(join(folder, name), text);
  return Object.fromEntries(
    Object.entries(reports).map(([output, { name, text }]) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return [output, path];
    }),
  );
}
