import type { DataDiff } from '../../../flows/diff/data-diff.ts';
import { defaultJobsInOneProcess } from '../../../flows/pipeline-tests/run/default-jobs.ts';
import type { BaseProject } from '../../../flows/diff/base-project.ts';
import type { DiffRequest } from '../../../flows/diff/diff-data.ts';
import type { SampleDiff } from '../../../flows/samples/sample-diff.ts';
import type { TestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import type { TestContext } from '../../../flows/pipeline-tests/run/test-context.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { ExitCode, Outcome } from '../../../lib/core/outcomes/outcome.ts';
import type { Report } from '../../../lib/report/report.ts';
import {
  type AddCommand,
  commandAction,
  defineCommand,
  oneOf,
  parseDurationOption,
} from '../../kit/command.ts';
import { openBase } from '../../tests/open-base.ts';
import { chooseTestFiles, openTests } from '../../tests/open-tests.ts';
import { addPythonOptions, type PythonFlags, pythonPermission } from '../../tests/python-permission.ts';
import { addCacheOptions, type CacheFlags, openTestCache } from '../../tests/test-cache.ts';
import { refuseFormat } from '../../tests/refuse-format.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { jsonLines } from '../../terminal/json-lines.ts';
import { parseCount } from '../../terminal/parse-count.ts';
import { parseMemory } from '../../terminal/parse-memory.ts';

const formats = ['text', 'json', 'markdown'] as const;

interface DiffOptions extends CommonOptions, PythonFlags, CacheFlags {
  readonly base?: string;
  readonly affected?: string;
  readonly filter?: string;
  readonly jobs?: number;
  readonly format?: (typeof formats)[number];
  readonly exitCode?: boolean;
  /** Milliseconds; true for the default. */
  readonly findRows?: number | true;
  readonly given?: string;
  readonly rows?: number;
  readonly memory?: string;
}

/** `millrace diff`: shows which rows a change of pipelines adds, removes and changes, on the rows of the tests. */
export const addDiff: AddCommand = (program, shell) => {
  addCacheOptions(
    addPythonOptions(
      defineCommand(
        program,
        'diff',
        'Show what a change of pipelines changes in the data, on the rows of the tests.',
      ),
    ),
  )
    .argument(
      '[files...]',
      'test files, pipelines, folders or globs, relative to the current folder (default: all tests of the project)',
    )
    .option(
      '--base <ref>',
      'compare the files on disk with this commit; for a branch, with the merge base (default: "HEAD")',
    )
    .option(
      '--affected <ref>',
      'compare with this commit, as --base does, and run only tests whose result the change may change',
    )
    .option('--filter <text>', 'only tests whose name contains this text')
    .option(
      '--jobs <count>',
      `number of tests that run at the same time (default: ${defaultJobsInOneProcess})`,
      parseCount,
    )
    .option('--format <format>', formats.join(', '), oneOf(formats))
    .option('--exit-code', 'end with 1 if data changes or a test could not be compared')
    .option(
      '--find-rows [duration]',
      'for changes that no test shows, search for rows that show them, at most this long (default: 10s)',
      parseDurationOption,
    )
    .option(
      '--given <folder>',
      'instead of tests, run the affected pipelines (or the pipelines [files...]) on the Parquet files of this folder',
    )
    .option(
      '--rows <count>',
      'with --given: show this many rows of each table (default: no values are shown)',
      parseCount,
    )
    .option(
      '--memory <size>',
      'with --given: memory limit of the warehouse (default: 2GB); data beyond it goes to disk',
      parseMemory,
    )
    .action(
      commandAction<DiffOptions>(shell, async (session, options, ...names) => {
        refuseFormat(options);
        refuseTwoBases(options);
        refuseWithoutGiven(options);
        return options.given === undefined
          ? diff(session, options, names)
          : diffGiven(session, { ...options, given: options.given }, names);
      }),
    );
};

async function diff(
  session: Session,
  options: DiffOptions,
  names: readonly string[],
): Promise<Outcome | ExitCode> {
  const { filter, jobs = defaultJobsInOneProcess, json, format = 'text', exitCode = false } = options;
  const { clock, signal } = session.flow;
  const python = pythonPermission(options, session.io);
  const project = await openTests(session);
  const chosen = await chooseTestFiles(session, project, names);
  const base = await openBase(session, project, options.affected ?? options.base ?? 'HEAD');
  const isAffectedOnly = options.affected !== undefined && base.isOther;
  const { files, unaffected } = isAffectedOnly
    ? await affectedOnly(session, project, { files: chosen, base })
    : { files: chosen };
  const cache = await openTestCache(session, project, { cache: options.cache, python });
  const { diffData } = await import('../../../flows/diff/diff-data.ts');
  const compared = await diffData(
    { project, base, files, filter, isPartial: names.length > 0, unaffected, jobs, cache },
    { clock, signal, python },
  );
  const dataDiff = await withRows(compared, { project, base, files, filter }, options, {
    clock,
    signal,
    python,
  });
  const { problems } = dataDiff;
  const { reportOfDiff } = await import('../../../flows/diff/report.ts');
  const notes = dataDiff.isSame && dataDiff.base.name === 'HEAD' ? [otherBase] : [];
  const report = reportOfDiff(dataDiff, { failsOnChange: exitCode, notes });
  session.output.result(dataDiff, json === true ? [] : await linesOf(dataDiff, report, format));
  if (problems !== undefined) {
    const { testFailure } = await import('../../../flows/pipeline-tests/files/test-problem.ts');
    const failure = testFailure(problems);
    if (json !== true) session.output.failure(failure);
    return failure.exitCode;
  }
  return report.outcome;
}

/** The default of --find-rows, in milliseconds. */
const defaultSearchMs = 10_000;

/** The data diff with what --find-rows finds. */
async function withRows(
  dataDiff: DataDiff,
  request: Pick<DiffRequest, 'project' | 'base' | 'files' | 'filter'>,
  { findRows }: DiffOptions,
  context: TestContext,
): Promise<DataDiff> {
  if (findRows === undefined || dataDiff.isSame) return dataDiff;
  const { rowsForDiff } = await import('../../../flows/row-search/rows-for-diff.ts');
  const budgetMs = findRows === true ? defaultSearchMs : findRows;
  const rows = await rowsForDiff(dataDiff, { ...request, seed: 1, budgetMs }, context);
  return { ...dataDiff, rows };
}

/** The same on the rows of Parquet files. */
async function diffGiven(
  session: Session,
  options: DiffOptions & { readonly given: string },
  names: readonly string[],
): Promise<Outcome> {
  const { json, format = 'text', exitCode = false, rows = 0 } = options;
  const { diffOnSamples } = await import('../../tests/diff-samples.ts');
  const { result, report } = await diffOnSamples(session, options, { names, failsOnChange: exitCode, rows });
  session.output.result(result, json === true ? [] : await linesOf(result, report, format));
  return report.outcome;
}

/** Throws Failure 'usage' for options that have no effect without --given, or with it. */
function refuseWithoutGiven({ given, rows, memory, filter, jobs, findRows }: DiffOptions): void {
  const [without, what] =
    given === undefined
      ? [rows !== undefined ? '--rows' : memory !== undefined ? '--memory' : undefined, 'without --given']
      : [
          filter !== undefined
            ? '--filter'
            : jobs !== undefined
              ? '--jobs'
              : findRows !== undefined
                ? '--find-rows'
                : undefined,
          'with --given, which runs no tests',
        ];
  if (without === undefined) return;
  throw new Failure('usage', {
    message: `${without} has no effect ${what}.`,
    where: { input: without },
    hint:
      given === undefined
        ? `Add --given with a folder of Parquet files, or remove ${without}.`
        : `Remove ${without}.`,
  });
}

/** Throws Failure 'usage' for two commits to compare with. */
function refuseTwoBases({ base, affected }: DiffOptions): void {
  if (base === undefined || affected === undefined || base === affected) return;
  throw new Failure('usage', {
    message:
      '--affected cannot be combined with --base and another commit: both name the commit to compare with.',
    where: { input: '--affected' },
    hint: 'Remove --base, or give it the same commit.',
  });
}

/** The test files whose result the change may change, and what the change does not affect. */
async function affectedOnly(
  session: Session,
  project: TestProject,
  { files, base }: { readonly files: readonly string[]; readonly base: BaseProject },
): Promise<Pick<DiffRequest, 'files' | 'unaffected'>> {
  const { affectedTests } = await import('../../tests/affected-tests.ts');
  const { isSameScript } = await import('../../../flows/data-graph/change/file-difference.ts');
  const { files: chosen, others: tests, changed } = await affectedTests(session, project, { files, base });
  const isSame = (file: string) =>
    kindOf(file) === undefined ? isSameScript(file, project, base) : project.has(file) && !changed.has(file);
  return { files: chosen, unaffected: { tests, isSame } };
}

const otherBase =
  'To compare a branch with the commit where it began, give its target with --base, such as --base main.';

async function linesOf(
  dataDiff: DataDiff | SampleDiff,
  report: Report,
  format: (typeof formats)[number],
): Promise<readonly string[]> {
  switch (format) {
    case 'json':
      return jsonLines(dataDiff);
    case 'markdown': {
      const { fileLimit, reportMarkdown } = await import('../../../lib/report/markdown.ts');
      return reportMarkdown(report, { limit: fileLimit }).split('\n');
    }
    case 'text': {
      const { terminalLines } = await import('../../../lib/report/terminal.ts');
      return terminalLines(report);
    }
  }
}
