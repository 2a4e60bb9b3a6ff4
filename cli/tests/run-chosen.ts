import type { ExitCode, Outcome } from '../../lib/core/outcomes/outcome.ts';
import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import type { Session } from '../kit/session.ts';
import { chosenFiles, noneAffected } from './chosen-files.ts';
import { openTests } from './open-tests.ts';
import { pythonPermission } from './python-permission.ts';
import { linesOf, problemsOf } from './report-tests.ts';
import type { TestArguments, TestOptions } from './test-options.ts';
import { changesText, updateTests } from './update-tests.ts';

/** Runs tests and reports them; a file that is wrong is an error after the report. */
export async function runChosen(
  session: Session,
  options: TestOptions,
  { names, context }: TestArguments,
): Promise<Outcome | ExitCode> {
  const project = await openTests(session);
  const files = await chosenFiles(session, project, { names, affected: options.affected });
  if (files.length === 0) {
    session.output.result({ passed: 0, failed: 0, refused: 0, tests: [] }, [noneAffected]);
    return 'nothing-to-do';
  }
  const { runTests } = await import('../../flows/pipeline-tests/run/run-tests.ts');
  const { filter, jobs, coverage = false, update = false, dryRun = false } = options;
  const cache = await cacheOf(session, project, options);
  const request = { project, files, filter, jobs, withCoverage: coverage, cache };
  const updated = update ? await updateTests(session, request, { context, dryRun }) : [];
  const current = updated.length > 0 && !dryRun ? { ...request, project: await openTests(session) } : request;
  const report = await runTests(current, context);
  const { json, format = 'text' } = options;
  const { tests, problems, failed, refused } = report;
  // If no test ran, the error is enough for a person; a program always gets its report.
  if (tests.length > 0 || json === true || format !== 'text') {
    session.output.result(report, [
      ...(await changesText(updated, options)),
      ...(await linesOf(report, options)),
    ]);
  }
  if (problems === undefined) return failed + refused === 0 ? 'passed' : 'failed';
  return problemsOf(session, problems, json);
}

/** No cache where every test runs in any case. */
async function cacheOf(session: Session, project: TestProject, options: TestOptions) {
  if (options.coverage === true || options.update === true) return undefined;
  const { testCache } = await import('./test-cache.ts');
  return testCache(session, project, { ...options, python: pythonPermission(options, session.io) });
}
