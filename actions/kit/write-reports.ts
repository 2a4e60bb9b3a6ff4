import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReportFile } from './action.ts';

/**
 * Writes files into the job's temporary folder `temp`; later steps find them by the outputs.
 * @returns output → path
 */
export function writeReports(
  action: string,
  temp: string,
  files: Readonly<Record<string, ReportFile>>,
): Record<string, string> {
  mkdirSync(temp, { recursive: true });
  // One folder a call: an action may run several times in one job.
  const folder = mkdtempSync(join(temp, `millrace-${action}-`));
  return Object.fromEntries(
    Object.entries(files).map(([output, { name, text }]) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return [output, path];
    }),
  );
}
