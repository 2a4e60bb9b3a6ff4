import path from 'node:path';
import type { TestRequest } from '../../flows/pipeline-tests/run/run-tests.ts';
import type { TestContext } from '../../flows/pipeline-tests/run/test-context.ts';
import type { UpdatedFile } from '../../flows/pipeline-tests/update/update-expectations.ts';
import type { Session } from '../kit/session.ts';
import type { TestOptions } from './test-options.ts';

/** Replaces the expectations of test files by what the tests find, and prints the diff. */
export async function updateTests(
  session: Session,
  request: TestRequest,
  { context, dryRun }: { readonly context: TestContext; readonly dryRun: boolean },
): Promise<readonly UpdatedFile[]> {
  const { runTests } = await import('../../flows/pipeline-tests/run/run-tests.ts');
  const { openUpdate } = await import('../../flows/pipeline-tests/update/update-expectations.ts');
  const { inspect, update } = openUpdate(request.project);
  await runTests({ ...request, inspect }, context);
  const { files, left } = update();
  for (const { file, line, column, message } of left)
    session.output.logger.warn(`${file}:${line}:${column}: ${message}`);
  const { writeFileAtomically } = await import('../kit/write-file-atomically.ts');
  for (const { file, after } of dryRun ? [] : files)
    await writeFileAtomically(path.join(request.project.directory, file), after);
  return files;
}

/** The diff of the changed test files, for the report as text. Empty in other formats, which are for programs. */
export async function changesText(
  files: readonly UpdatedFile[],
  { json, format = 'text' }: TestOptions,
): Promise<readonly string[]> {
  if (files.length === 0 || json === true || format !== 'text') return [];
  const { unifiedDiff } = await import('../kit/git/unified-diff.ts');
  return files.flatMap(({ file, before, after }) => unifiedDiff(file, before, after).trimEnd().split('\n'));
}
