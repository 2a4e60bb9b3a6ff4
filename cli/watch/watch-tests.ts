import { reportOfTests, totalLine } from '../../flows/pipeline-tests/report/report.ts';
import { terminalLines } from '../../lib/report/terminal.ts';
import { testFailure } from '../../flows/pipeline-tests/files/test-problem.ts';
import type { TestContext } from '../../flows/pipeline-tests/run/test-context.ts';
import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import {
  openTestSession,
  type SessionRequest,
  type SessionRun,
} from '../../flows/pipeline-tests/run/test-session.ts';
import { reportOf } from '../../flows/pipeline-tests/run/test-report.ts';
import { type ExitCode, exitCodes } from '../../lib/core/outcomes/outcome.ts';
import { oneLine } from '../../lib/core/text/sanitize-text.ts';
import type { FolderWatcher } from './folder-watcher.ts';
import type { Session } from '../kit/session.ts';
import { watchChanges } from './watch-loop.ts';

export interface WatchedTests extends SessionRequest {
  readonly context: TestContext;
  /** Reads the project as it is now. */
  readonly open: () => Promise<TestProject>;
  /** The chosen test files. */
  readonly choose: (project: TestProject) => Promise<readonly string[]>;
}

/**
 * `millrace test --watch`: runs tests, then again those that a change concerns, until a signal. Returns the exit code of
 * the last run. Throws what the first run throws.
 */
export async function watchTests(session: Session, watched: WatchedTests): Promise<ExitCode> {
  const tests = openTestSession(watched, watched.context);
  return watchChanges(session, {
    root: session.directory,
    run: (watcher) => runOnce(tests, watched, watcher),
    show: (ended) => show(ended, session),
    codeOf,
  });
}

async function runOnce(
  tests: ReturnType<typeof openTestSession>,
  { open, choose }: WatchedTests,
  watcher: FolderWatcher,
): Promise<SessionRun | undefined> {
  let project = await open();
  // The next list has the files that were put into a new folder before it was watched.
  while (watcher.follow(project.folders)) project = await open();
  return tests.run(project, await choose(project));
}

function codeOf({ report, problems }: SessionRun): ExitCode {
  if (problems.length > 0) return exitCodes.usage;
  return report.failed + report.refused === 0 ? exitCodes.done : exitCodes.no;
}

/** The tests of this run, then the failed ones of earlier runs, and the total of all. */
function show({ changed, ran, report, problems }: SessionRun, { output }: Session): void {
  const { coverage, tests } = report;
  const others = tests.filter(({ file, status }) => !ran.has(file) && status !== 'passed');
  const notes = others.map(
    ({ file, line, name, status }) => `${file}:${line} ${oneLine(name)}: still ${status}`,
  );
  const roundReport = reportOfTests(
    reportOf(
      tests.filter(({ file }) => ran.has(file)),
      coverage,
    ),
    { notes },
  );
  output.result(report, [
    ...(changed.length === 0 ? [] : [`Changed: ${changed.map(oneLine).join(', ')}`, '']),
    ...terminalLines({ ...roundReport, headline: totalLine(report) }),
  ]);
  if (problems.length > 0) output.failure(testFailure(problems));
}
