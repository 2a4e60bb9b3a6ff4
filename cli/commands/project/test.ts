import path from 'node:path';
import { defaultJobs } from '../../../flows/pipeline-tests/run/default-jobs.ts';
import type { TestReport, TestRequest } from '../../../flows/pipeline-tests/run/run-tests.ts';
import type { TestContext } from '../../../flows/pipeline-tests/run/test-context.ts';
import type { TestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import type { UpdatedFile } from '../../../flows/pipeline-tests/run/update-expectations.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { ExitCode, Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { type AddCommand, commandAction, defineCommand, oneOf } from '../../kit/command.ts';
import { initTests } from '../../tests/init-test.ts';
import { openBase } from '../../tests/open-base.ts';
import { chooseTestFiles, openTests } from '../../tests/open-tests.ts';
import { addPythonOptions, type PythonFlags, pythonPermission } from '../../tests/python-permission.ts';
import { refuseFormat } from '../../tests/refuse-format.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { jsonLines } from '../../terminal/json-lines.ts';
import { parseCount } from '../../terminal/parse-count.ts';

const formats = ['text', 'json', 'junit', 'markdown'] as const;

interface TestOptions extends CommonOptions, PythonFlags {
  readonly filter?: string;
  readonly jobs: number;
  readonly format?: (typeof formats)[number];
  readonly coverage?: boolean;
  readonly affected?: string;
  readonly list?: boolean;
  readonly watch?: boolean;
  readonly init?: string;
  readonly update?: boolean;
  readonly dryRun?: boolean;
}

/** `millrace test`: runs the tests of pipelines on embedded DuckDB. */
export const addTest: AddCommand = (program, shell) => {
  addPythonOptions(defineCommand(program, 'test', 'Run the tests of pipelines on this machine.'))
    .argument(
      '[files...]',
      'test files, pipelines, folders or globs, relative to the current folder (default: all tests of the project)',
    )
    .option('--filter <text>', 'only tests whose name contains this text')
    .option(
      '--affected <ref>',
      'only tests whose result a change since this commit, or since the branch left it, may change',
    )
    .option('--jobs <count>', 'number of tests that run at the same time', parseCount, defaultJobs)
    .option('--format <format>', formats.join(', '), oneOf(formats))
    .option('--coverage', 'list the components, transitions and branches that no test reached')
    .option('--list', 'list the tests that would run, without running them')
    .option('--watch', 'run the tests again whose files change, until Ctrl-C')
    .option('--init <pipeline>', 'write a first test beside a pipeline, or beside each one of a folder')
    .option(
      '--update',
      'write the rows and variables that were found into the expectations, and show the diff',
    )
    .option('--dry-run', 'with --init or --update print what would be written, without writing it')
    .action(
      commandAction<TestOptions>(shell, async (session, options, ...names) => {
        refuseOptions(options);
        if (options.list === true) refuseWithList(options);
        const python = pythonPermission(options, session.io);
        const { clock, signal } = session.flow;
        const context = { clock, signal, python };
        if (options.watch === true) return watch(session, options, { names, context });
        const project = await openTests(session);
        if (options.list === true) return list(session, options, { names, project });
        const { init, dryRun = false } = options;
        if (init !== undefined) return initTests(session, project, { name: init, dryRun, context });
        return runOnce(session, options, { names, context, project });
      }),
    );
};

/** Throws Failure 'usage' for options that have no effect together. */
function refuseOptions({ json, format, init, update, dryRun, coverage }: TestOptions): void {
  if (dryRun === true && init === undefined && update !== true) {
    throw new Failure('usage', {
      message: '--dry-run has no effect without --init or --update.',
      where: { input: '--dry-run' },
      hint: 'Remove --dry-run, or add --init or --update. A plain test run changes no files.',
    });
  }
  refuseFormat({ json, format });
  if (format === 'junit' && coverage === true) {
    throw new Failure('usage', {
      message: '--coverage cannot be combined with --format junit, which has no place for it.',
      where: { input: '--coverage' },
      hint: 'Remove --coverage, or use --format json or markdown.',
    });
  }
  if (init !== undefined && update === true) {
    throw new Failure('usage', {
      message:
        '--init cannot be combined with --update: --init writes a new test, and --update changes existing tests.',
      where: { input: '--init' },
      hint: 'Remove --init or --update.',
    });
  }
}

/** Throws Failure 'usage' for an option that says how tests run or are reported: a list runs none. */
function refuseWithList({ format, coverage, watch: isWatched, init, update }: TestOptions): void {
  const others = {
    [`--format ${format}`]: format === 'junit' || format === 'markdown',
    '--coverage': coverage === true,
    '--watch': isWatched === true,
    '--init': init !== undefined,
    '--update': update === true,
  };
  const [other] = Object.entries(others).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (other === undefined) return;
  throw new Failure('usage', {
    message: `--list runs no test, so ${other} has no effect.`,
    where: { input: '--list' },
    hint: `Remove --list or ${other}.`,
  });
}

/** Lists the tests that would run; a file that is wrong is an error after the list. */
async function list(
  session: Session,
  { filter, json, format, affected }: TestOptions,
  { names, project }: Omit<Chosen, 'context'>,
): Promise<Outcome | ExitCode> {
  const files = await chosenFiles(session, project, { names, affected });
  if (files.length === 0) {
    session.output.result({ tests: [] }, [noneAffected]);
    return 'nothing-to-do';
  }
  const { listLines, listTests } = await import('../../../flows/pipeline-tests/run/list-tests.ts');
  const listed = await listTests({ project, files, filter });
  const isText = json !== true && format !== 'json';
  if (listed.tests.length > 0 || !isText)
    session.output.result(listed, format === 'json' ? jsonLines(listed) : listLines(listed));
  return listed.problems === undefined ? 'passed' : problemsOf(session, listed.problems, json);
}

/** Says what is wrong in files, after the result. */
async function problemsOf(
  session: Session,
  problems: NonNullable<TestReport['problems']>,
  json: boolean | undefined,
): Promise<ExitCode> {
  const { testFailure } = await import('../../../flows/pipeline-tests/files/test-problem.ts');
  const failure = testFailure(problems);
  if (json !== true) session.output.failure(failure);
  return failure.exitCode;
}

const noneAffected = 'No test is affected by the change.';

/** The test files that names mean, or of these the affected ones. */
async function chosenFiles(
  session: Session,
  project: TestProject,
  { names, affected }: { readonly names: readonly string[]; readonly affected: string | undefined },
): Promise<readonly string[]> {
  const files = await chooseTestFiles(session, project, names);
  if (affected === undefined) return files;
  const { affectedTests } = await import('../../tests/affected-tests.ts');
  const base = await openBase(session, project, affected);
  return (await affectedTests(session, project, { files, base })).files;
}

interface Chosen {
  readonly names: readonly string[];
  readonly context: TestContext;
  readonly project: TestProject;
}

/** Runs tests and reports them; a file that is wrong is an error after the report. */
async function runOnce(
  session: Session,
  options: TestOptions,
  { names, context, project }: Chosen,
): Promise<Outcome | ExitCode> {
  const files = await chosenFiles(session, project, { names, affected: options.affected });
  if (files.length === 0) {
    session.output.result({ passed: 0, failed: 0, refused: 0, tests: [] }, [noneAffected]);
    return 'nothing-to-do';
  }
  const { runTests } = await import('../../../flows/pipeline-tests/run/run-tests.ts');
  const { filter, jobs, coverage = false, update = false, dryRun = false } = options;
  const request = { project, files, filter, jobs, withCoverage: coverage };
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

/** Throws Failure 'usage' with an option that needs one run only. */
async function watch(
  session: Session,
  options: TestOptions,
  { names, context }: { readonly names: readonly string[]; readonly context: TestContext },
): Promise<Outcome | ExitCode> {
  const { json, format = 'text', init, update, filter, jobs, affected, coverage = false } = options;
  const others = {
    '--affected': affected !== undefined,
    '--json': json === true,
    [`--format ${format}`]: format !== 'text',
    '--init': init !== undefined,
    '--update': update === true,
  };
  const [other] = Object.entries(others).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (other !== undefined) {
    throw new Failure('usage', {
      message: `--watch cannot be combined with ${other}: --watch runs the tests after each change, and ${other} is for one run.`,
      where: { input: '--watch' },
      hint: `Remove --watch or ${other}.`,
    });
  }
  const { openSession } = await import('../../kit/session.ts');
  const { watchTests } = await import('../../watch/watch-tests.ts');
  return watchTests(session, {
    filter,
    jobs,
    withCoverage: coverage,
    context,
    // A session reads millrace.yaml once; it may change too.
    open: () => openTests(openSession(session.io, options)),
    choose: (project) => chooseTestFiles(session, project, names),
  });
}

/** Writes what the tests find into their expectations. */
async function updateTests(
  session: Session,
  request: TestRequest,
  { context, dryRun }: { readonly context: TestContext; readonly dryRun: boolean },
): Promise<readonly UpdatedFile[]> {
  const { runTests } = await import('../../../flows/pipeline-tests/run/run-tests.ts');
  const { openUpdate } = await import('../../../flows/pipeline-tests/run/update-expectations.ts');
  const { inspect, update } = openUpdate(request.project);
  await runTests({ ...request, inspect }, context);
  const { files, left } = update();
  for (const { file, line, column, message } of left)
    session.output.logger.warn(`${file}:${line}:${column}: ${message}`);
  const { writeFileAtomically } = await import('../../kit/write-file-atomically.ts');
  for (const { file, after } of dryRun ? [] : files)
    await writeFileAtomically(path.join(request.project.directory, file), after);
  return files;
}

/** The diff, before the report as text; other formats are for programs. */
async function changesText(
  files: readonly UpdatedFile[],
  { json, format = 'text' }: TestOptions,
): Promise<readonly string[]> {
  if (files.length === 0 || json === true || format !== 'text') return [];
  const { unifiedDiff } = await import('../../kit/unified-diff.ts');
  return files.flatMap(({ file, before, after }) => unifiedDiff(file, before, after).trimEnd().split('\n'));
}

async function linesOf(
  report: TestReport,
  { json, format = 'text' }: TestOptions,
): Promise<readonly string[]> {
  if (json === true) return [];
  switch (format) {
    case 'json':
      return jsonLines(report);
    case 'junit': {
      const { reportJunit } = await import('../../../flows/pipeline-tests/report/report-junit.ts');
      return reportJunit(report);
    }
    case 'markdown': {
      const { reportOfTests } = await import('../../../flows/pipeline-tests/report/report.ts');
      const { fileLimit, reportMarkdown } = await import('../../../lib/report/markdown.ts');
      return reportMarkdown(reportOfTests(report), { limit: fileLimit }).split('\n');
    }
    case 'text': {
      const { reportOfTests, totalLine } = await import('../../../flows/pipeline-tests/report/report.ts');
      const { terminalLines } = await import('../../../lib/report/terminal.ts');
      // What is wrong in files is the error after the report.
      const { problems: _, ...ran } = report;
      return terminalLines({ ...reportOfTests(ran), headline: totalLine(report) });
    }
  }
}
