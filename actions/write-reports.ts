import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the report files into the job's temporary folder `temp`; later steps find them by the outputs. */
export function writeReports(
  action: string,
  temp: string,
  { markdown, json }: { markdown: string; json: string },
): { 'summary-path': string; 'report-path': string } {
  mkdirSync(temp, { recursive: true });
  // One folder a call: an action may run several times in one job.
  const folder = mkdtempSync(join(temp, `millrace-${action}-`));
  const paths = { 'summary-path': join(folder, 'summary.md'), 'report-path': join(folder, 'report.json') };
  writeFileSync(paths['summary-path'], markdown);
  writeFileSync(paths['report-path'], `${json}\n`);
  return paths;
}
