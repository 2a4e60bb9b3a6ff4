import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { WarehouseKind } from '../../../../engine/index.ts';
import { testFiles } from '../../../../flows/pipeline-tests/files/find-tests.ts';
import { openTestProject } from '../../../../flows/pipeline-tests/files/test-project.ts';
import { runTests } from '../../../../flows/pipeline-tests/run/run-tests.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';

/** What all tests of a project on disk say about an edited file. */
export interface DiskVerdict {
  /** `not-noticed`: every test passes. */
  readonly verdict: 'noticed' | 'not-noticed' | 'refused';
  /** The names of the tests that fail. */
  readonly failed: readonly string[];
}

/**
 * Writes an edited file into a copy of a project on disk, opens the copy as a new project, and runs all of its tests: nothing is shared with the run
 * that planted the change.
 */
export async function verdictOnDisk(
  directory: string,
  kind: WarehouseKind,
  edited: { readonly file: string; readonly edit: (text: string) => string },
): Promise<DiskVerdict> {
  const copy = mkdtempSync(path.join(tmpdir(), 'millrace-edited-'));
  try {
    cpSync(directory, copy, { recursive: true });
    const target = path.join(copy, edited.file);
    writeFileSync(target, edited.edit(readFileSync(target, 'utf8')));
    const project = openTestProject(copy, kind);
    const report = await runTests(
      { project, files: testFiles(project), jobs: 1, withCoverage: false },
      { clock: systemClock, signal: new AbortController().signal },
    );
    const failed = report.tests.flatMap(({ name, status }) => (status === 'failed' ? [name] : []));
    const hasFailed = failed.length > 0 || report.problems !== undefined;
    const verdict = hasFailed ? 'noticed' : report.refused > 0 ? 'refused' : 'not-noticed';
    return { verdict, failed };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
