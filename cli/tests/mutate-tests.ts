import type { Fault } from '../../flows/mutation/faults/fault.ts';
import type { MutationReport } from '../../flows/mutation/run/mutate.ts';
import type { ReachingTest } from '../../flows/mutation/run/reach.ts';
import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { resolveNames } from '../../lib/core/files/resolve-names.ts';
import type { ExitCode, Outcome } from '../../lib/core/outcomes/outcome.ts';
import { resolveCall } from '../../lib/pipelines/model/calls.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import type { Session } from '../kit/session.ts';
import { jsonLines } from '../terminal/json-lines.ts';
import { noneAffected } from './chosen-files.ts';
import { openBase } from './open-base.ts';
import { chooseTestFiles, openTests } from './open-tests.ts';
import { problemsOf } from './report-tests.ts';
import type { TestArguments, TestOptions } from './test-options.ts';

/** Plants changes into pipelines, runs the tests that reach them, and reports which changes no test notices. */
export async function mutateTests(
  session: Session,
  options: TestOptions,
  { names, context }: TestArguments,
): Promise<Outcome | ExitCode> {
  const project = await openTests(session);
  const { filter, jobs, seed = 1, max, budget: budgetMs, affected, threshold } = options;
  const { mutation } = await session.projectConfig();
  const changed = await changedFiles(session, project, options.mutate);
  const chosen = await chooseTestFiles(session, project, names);
  const scope = affected === undefined ? undefined : await affectedScope(session, project, chosen, affected);
  const files = scope?.files ?? chosen;
  if (files.length === 0) {
    session.output.result({ ...emptyReport(seed), outcome: 'nothing-to-do' }, [noneAffected]);
    return 'nothing-to-do';
  }
  const { mutate } = await import('../../flows/mutation/run/mutate.ts');
  let testsOf: (fault: Fault) => readonly ReachingTest[] = () => [];
  const mutated = await mutate(
    {
      project,
      files,
      filter,
      jobs,
      changed,
      isChosen: scope?.isChosen,
      isOnlyRead: names.length > 0 || filter !== undefined,
      seed,
      max,
      budgetMs,
      equal: mutation.equal,
      progress: session.flow.progress,
      onReach: (find) => {
        testsOf = find;
      },
    },
    context,
  );
  const report = await withRows(mutated, testsOf, { session, project, options, context });
  const { outcomeOfMutation } = await import('../../flows/mutation/report/report.ts');
  const outcome = outcomeOfMutation(report, threshold);
  const result = { outcome, ...(threshold !== undefined && { threshold }), ...report };
  session.output.result(result, await linesOf(report, result, options));
  return report.problems === undefined ? outcome : problemsOf(session, report.problems, options.json);
}

/** The default of --find-rows, in milliseconds. */
const defaultSearchMs = 60_000;

/** The report with what --find-rows finds. */
async function withRows(
  report: MutationReport,
  testsOf: (fault: Fault) => readonly ReachingTest[],
  {
    session,
    project,
    options: { findRows, seed = 1 },
    context,
  }: {
    readonly session: Session;
    readonly project: TestProject;
    readonly options: TestOptions;
    readonly context: TestArguments['context'];
  },
): Promise<MutationReport> {
  if (findRows === undefined || report.notNoticed === 0) return report;
  const { withRowsFound } = await import('../../flows/row-search/rows-for-changes.ts');
  const budgetMs = findRows === true ? defaultSearchMs : findRows;
  const { progress } = session.flow;
  return withRowsFound(report, testsOf, { project, seed, budgetMs, progress }, context);
}

/** The files that names mean, which may be pipelines without their suffix; undefined for all. */
async function changedFiles(
  session: Session,
  project: TestProject,
  names: TestOptions['mutate'],
): Promise<readonly string[] | undefined> {
  if (names === undefined || names === true) return undefined;
  const { changeableFiles } = await import('../../flows/mutation/run/mutants.ts');
  const candidates = changeableFiles(project);
  const hint = 'Give pipelines, files with SQL, folders or globs after --mutate, and test files before it.';
  const resolved = await resolveNames(names, {
    cwd: session.here,
    root: project.directory,
    paths: project.paths,
    candidates,
    what: 'pipeline',
    input: '--mutate',
    hint,
  });
  return resolved.map((name) => {
    const file = project.has(name) ? name : (resolveCall(name, project) ?? name);
    // A pipeline that is left out by default may be named.
    if (candidates.includes(file) || (project.has(file) && kindOf(file) !== undefined)) return file;
    throw new Failure('usage', {
      message: project.has(file)
        ? `"${name}" is neither a pipeline nor a file with SQL that a pipeline runs.`
        : `"${name}" does not exist in the project.`,
      where: { input: '--mutate' },
      hint,
    });
  });
}

/** The tests that a change since a commit affects, and whether a component is a part of that change. */
async function affectedScope(session: Session, project: TestProject, files: readonly string[], ref: string) {
  const { affectedTests } = await import('./affected-tests.ts');
  const { isInChange } = await import('../../flows/mutation/run/changed-components.ts');
  const base = await openBase(session, project, ref);
  return {
    files: (await affectedTests(session, project, { files, base })).files,
    isChosen: isInChange(base, project),
  };
}

function emptyReport(seed: number): MutationReport {
  return {
    seed,
    noticed: 0,
    notNoticed: 0,
    notReached: 0,
    refused: 0,
    equal: 0,
    notTried: { byMax: 0, byBudget: 0 },
    percent: null,
    changes: [],
    tests: 0,
    failed: [],
    unusedMarks: [],
  };
}

async function linesOf(
  report: MutationReport,
  result: object,
  { json, format = 'text', threshold }: TestOptions,
): Promise<readonly string[]> {
  if (json === true) return [];
  if (format === 'json') return jsonLines(result);
  if (format === 'junit') {
    const { mutationJunit } = await import('../../flows/mutation/report/report-junit.ts');
    return mutationJunit(report);
  }
  const { reportOfMutation } = await import('../../flows/mutation/report/report.ts');
  if (format === 'markdown') {
    const { fileLimit, reportMarkdown } = await import('../../lib/report/markdown.ts');
    return reportMarkdown(reportOfMutation(report, { threshold }), { limit: fileLimit }).split('\n');
  }
  const { terminalLines } = await import('../../lib/report/terminal.ts');
  // What is wrong in files is the error after the report.
  const { problems: _, ...ran } = report;
  return terminalLines(reportOfMutation(ran, { threshold }));
}
