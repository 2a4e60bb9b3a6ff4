import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReportFile } from './action.ts';

/**
 * Writes files to the job's temporary folder `temp`. Later steps get the paths from the outputs.
 * @returns output → path
 */
export function writeReports(
  action: string,
  temp: string,
  files: Readonly<Record<string, ReportFile>>,
): Record<string, string> {
  mkdirSync(temp, { recursive: true });
  // One folder per call, because an action may run several times in one job.
  const folder = mkdtempSync(join(temp, `millrace-${action}-`));
  return Object.fromEntries(
    Object.entries(files).map(([output, { name, text }]) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return [output, path];
    }),
  );
}
