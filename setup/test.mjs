import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tool } from './build.mjs';
import { runThrough } from './child.mjs';

/** Runs vitest; the last line of the output is `N passed, N failed, N skipped`, whatever happened. */
export async function test({ node, env }, args) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-'));
  try {
    const report = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const code = await runThrough(node, [tool('vitest'), 'run', ...reporters, ...args], { env });
    const counts = countTests(readReport(report), code);
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
    return code === 0 && counts.failed > 0 ? 1 : code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Counts what a vitest report holds. A file that could not be collected, an error outside every test, and a run
 * that found no test at all each count as a failure: none of them may look like success.
 */
export function countTests(report, code) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of report?.testResults ?? []) {
    const before = counts.failed;
    for (const { status } of file.assertionResults) {
      if (status === 'passed') counts.passed += 1;
      else if (status === 'failed') counts.failed += 1;
      else counts.skipped += 1;
    }
    if (file.status === 'failed' && counts.failed === before) counts.failed += 1;
  }
  const ranNothing = counts.passed + counts.failed === 0;
  if (counts.failed === 0 && (code !== 0 || ranNothing)) counts.failed = 1;
  return counts;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
