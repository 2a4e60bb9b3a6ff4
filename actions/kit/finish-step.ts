import { tmpdir } from 'node:os';
import { setOutput, summary } from '@actions/core';
import { annotationCommands } from '../../lib/github/annotation-commands.ts';
import { shorten } from '../../lib/github/foreign-text.ts';
import { reportMarkdown } from '../../lib/github/report-markdown.ts';
import { compareFindings, type Finding } from '../../lib/core/finding.ts';
import { numberOf } from '../../lib/core/number-of.ts';
import type { ReportFile, StepResult } from './action.ts';
import { withoutSecrets } from './redact-report.ts';
import type { Step } from './step.ts';
import { writeReports } from './write-reports.ts';

export type Finishing = Pick<Step, 'environment' | 'redact' | 'log' | 'command'>;

const summaryLimit = 1_000_000;
/** GitHub keeps 1 MB of outputs for a whole job; what is longer stands in the report file. */
const outputLimit = 10_000;
/** A log of a million lines helps nobody; the report file has them all. */
const maximumLogged = 500;

/** Says how a step ended: log, report files, outputs, job summary. Throws what the file system throws. */
export async function finishStep(
  name: string,
  { report: told, reasons = [], delivery, outputs, details, files = {} }: StepResult,
  { environment, redact, log, command }: Finishing,
): Promise<void> {
  // Before lines are joined and signs are encoded: a secret that is cut by a line break is still one.
  const report = withoutSecrets(told, redact);
  logFindings(report.findings, { log, command });
  if (delivery === undefined) {
    const rest = 'in the job summary';
    for (const line of annotationCommands(report.findings, { rest })) command(line);
  }
  log(`${report.title}: ${report.outcome}. ${report.headline}`);
  for (const reason of reasons) for (const line of reason.split('\n')) log(line);
  for (const note of delivery?.notes ?? report.notes) log(`note: ${note}`);

  const markdown = redact(delivery?.summary ?? reportMarkdown(report, { limit: summaryLimit }));
  const known = { action: name, outcome: report.outcome, ...details };
  const json = redact(JSON.stringify(known, null, 2));
  const reports: Record<string, ReportFile> = {
    'summary-path': { name: 'summary.md', text: markdown },
    'report-path': { name: 'report.json', text: `${json}\n` },
  };
  for (const [output, file] of Object.entries(files)) {
    reports[output] = { ...file, text: redact(file.text) };
  }
  const paths = writeReports(name, environment['RUNNER_TEMP'] ?? tmpdir(), reports);
  const all: Record<string, string | number> = { outcome: report.outcome, ...outputs, ...paths };
  for (const [output, value] of Object.entries(all))
    setOutput(output, shorten(redact(String(value)), outputLimit));
  if ((environment['GITHUB_STEP_SUMMARY'] ?? '') !== '') await summary.addRaw(markdown, true).write();
}

/** All findings as plain lines, folded: annotations are capped, and a check run does not show in the log. */
function logFindings(findings: readonly Finding[], { log, command }: Pick<Step, 'log' | 'command'>): void {
  if (findings.length === 0) return;
  command(`::group::${numberOf(findings.length, 'finding')}`);
  for (const { severity, file, line, column, rule, message } of findings
    .toSorted(compareFindings)
    .slice(0, maximumLogged)) {
    log(`${severity} ${file}:${String(line)}:${String(column)} ${rule}: ${message}`);
  }
  if (findings.length > maximumLogged) log(`and ${String(findings.length - maximumLogged)} more`);
  command('::endgroup::');
}
