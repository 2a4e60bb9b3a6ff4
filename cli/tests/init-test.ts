import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { FirstTest } from '../../flows/pipeline-tests/first-test/init-test.ts';
import type { TestContext } from '../../flows/pipeline-tests/run/test-context.ts';
import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import type { PipelineTest } from '../../flows/pipeline-tests/first-test/write-first-test.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { hintAt } from '../../lib/core/text/look-alike.ts';
import { shellWord } from '../../lib/core/text/shell-word.ts';
import { type Progress, silentProgress } from '../../lib/core/ports/ports.ts';
import type { Outcome } from '../../lib/core/outcomes/outcome.ts';
import { resolveNames } from '../../lib/core/files/resolve-names.ts';
import { resolveCall } from '../../lib/pipelines/model/calls.ts';
import { closestPipeline } from '../../lib/pipelines/model/closest-pipeline.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { adviceLine, failureLine, reasonLines } from './init-reasons.ts';
import { programName } from '../terminal/program-name.ts';
import { rootLines, summaryLines } from './init-summary.ts';
import type { Session } from '../kit/session.ts';
import { writeFileAtomically } from '../kit/write-file-atomically.ts';

interface InitRequest {
  /** The pipeline or the folder, as the user named it. */
  readonly name: string;
  readonly dryRun: boolean;
  /** How long rows are searched for each pipeline, in milliseconds. Default: a few seconds. */
  readonly findRowsMs?: number | undefined;
  readonly context: TestContext;
}

/**
 * `millrace test --init`: writes a first test beside a pipeline, or beside each pipeline of a folder. Throws Failure
 * 'usage', 'test-invalid' and 'engine-missing'.
 */
export async function initTests(
  session: Session,
  project: TestProject,
  request: InitRequest,
): Promise<Outcome> {
  const { name } = request;
  const pipeline = resolveCall(name, project);
  if (pipeline !== undefined) return initPipeline(session, project, pipeline, request);
  const resolved = await resolveNames([name], {
    cwd: session.here,
    root: project.directory,
    paths: project.paths,
    candidates: project.pipelines,
    what: 'pipeline',
    input: '--init',
    hint: 'Give a pipeline, by its path or by its name as a call writes it, or a folder with pipelines.',
  });
  const [first = ''] = resolved;
  const only = resolved.length > 1 ? undefined : resolveCall(first, project);
  // A folder with one pipeline is treated as a folder, because the pipeline may have a test already.
  if (only !== undefined && isNamed(name, only)) return initPipeline(session, project, only, request);
  const all = resolved.filter((file) => kindOf(file) !== undefined && project.has(file));
  const pipelines = all.filter((file) => !project.isHidden(file));
  const hidden = all.filter((file) => project.isHidden(file));
  if (all.length > 0) return initFolder(session, project, { pipelines, hidden }, request);
  if (only !== undefined && kindOf(only) !== undefined) return initPipeline(session, project, only, request);
  const meant = closestPipeline(name.replace(/\.test\.yaml$/, ''), project.pipelines);
  const hint = hintAt(name, meant);
  throw new Failure('usage', {
    message: name.endsWith('.test.yaml')
      ? `"${name}" is a test file, and --init writes one for a pipeline.${hint}`
      : `The pipeline "${name}" does not exist in the project.${hint}`,
    hint: 'Give --init the path of a pipeline in the project, such as daily/load.',
    where: { input: '--init' },
  });
}

function isNamed(name: string, pipeline: string): boolean {
  return path.basename(name).replace(/\.yaml$/, '') === path.basename(pipeline).replace(/\.yaml$/, '');
}

async function initPipeline(
  session: Session,
  project: TestProject,
  pipeline: string,
  { dryRun, findRowsMs, context }: InitRequest,
): Promise<Outcome> {
  const { testFileOf } = await import('../../flows/pipeline-tests/files/find-tests.ts');
  const file = testFileOf(pipeline);
  const place = dryRun ? undefined : (await existing([file], project, session)).get(file);
  if (place !== undefined) {
    throw new Failure('usage', {
      message: `${file} exists already${place === 'disk' ? '' : ', outside of the sparse check-out'}; --init does not overwrite it.`,
      where: { input: '--init' },
      hint: `${place === 'disk' ? 'Rename or delete the file' : 'Add its folder with `git sparse-checkout add`'}, or add --dry-run to see what --init would write.`,
    });
  }
  const [result] = await firstTests([pipeline], project, {
    dryRun,
    findRowsMs,
    context,
    progress: silentProgress,
  });
  if (result === undefined) throw new Error('a pipeline without a result');
  const { first, problems } = result;
  if (first === undefined) {
    const { testFailure } = await import('../../flows/pipeline-tests/files/test-problem.ts');
    throw testFailure(problems);
  }
  const { text, mocked, refused, failed, replaced, empty } = first;
  if (text === '') {
    const lines = [...reasonLines(result, project), ...(refused.length === 0 ? [adviceLine] : [])];
    session.output.result(refused.length > 0 ? { pipeline, refused } : { pipeline, failed }, lines);
    return 'failed';
  }
  const sentence = `Wrote ${file}. It passes as the pipeline is now: replace the example rows by your own, and check what it expects.`;
  const next = `To list what the test does not see: ${programName(session.io)} test --mutate ${shellWord(pipeline)}`;
  const notes = noteLines(first, project);
  const lines = dryRun
    ? [...text.trimEnd().split('\n'), ...notes.map((note) => `# ${note}`)]
    : [sentence, ...notes, next];
  session.output.result({ pipeline, file, dryRun, mocked, replaced, empty, text }, lines);
  return 'passed';
}

/** What the author of the pipeline should know of its first test. */
function noteLines(
  { mocked, expectsFailure, replaced, empty }: FirstTest,
  project: TestProject,
): readonly string[] {
  const why = replaced.map((failure) => `  ${failureLine(failure, project)}`);
  return [
    ...rootLines(project),
    ...(expectsFailure
      ? [
          'The pipeline fails with the example rows, and the test expects this failure: check that it is right.',
        ]
      : []),
    ...(empty.length === 0
      ? []
      : [
          `The test expects no rows in ${empty.join(', ')}, because no example row reaches it: add rows to \`given\` that do.`,
        ]),
    ...(mocked.length === 0 ? [] : [`Mocked, because they do not run here: ${mocked.join(', ')}.`]),
    ...(why.length === 0
      ? []
      : [
          'These components are mocked because the engine refuses them, or because they fail with the example rows. The test does not check what they do:',
          ...why,
        ]),
  ];
}

interface FoundPipelines {
  readonly pipelines: readonly string[];
  /** Pipelines whose tests `millrace test` would not find. */
  readonly hidden: readonly string[];
}

/** Writes the tests of all pipelines that have none yet. */
async function initFolder(
  session: Session,
  project: TestProject,
  { pipelines, hidden }: FoundPipelines,
  { dryRun, findRowsMs, context }: InitRequest,
): Promise<Outcome> {
  const { testFileOf } = await import('../../flows/pipeline-tests/files/find-tests.ts');
  const files = pipelines.map((pipeline) => ({ pipeline, file: testFileOf(pipeline) }));
  const known = await existing(
    files.map(({ file }) => file),
    project,
    session,
  );
  const tested = files.filter(({ file }) => !dryRun && known.has(file));
  const untested = files.flatMap((entry) => (tested.includes(entry) ? [] : [entry.pipeline]));
  const { progress } = session.flow;
  const results = await firstTests(untested, project, { dryRun, findRowsMs, context, progress });
  const { report, lines } = summaryLines(results, { tested, hidden, dryRun, project });
  session.output.result(report, lines);
  return results.every(({ first }) => first !== undefined && first.text !== '') ? 'passed' : 'failed';
}

/** Makes first tests, and writes each at once. */
async function firstTests(
  pipelines: readonly string[],
  project: TestProject,
  {
    dryRun,
    findRowsMs,
    context,
    progress,
  }: Pick<InitRequest, 'dryRun' | 'findRowsMs' | 'context'> & { readonly progress: Progress },
): Promise<readonly PipelineTest[]> {
  const { firstRowsBudget, writeTestsWithRows } = await import('../../flows/row-search/first-test-rows.ts');
  const budget = { ...firstRowsBudget, ...(findRowsMs !== undefined && { maxMs: findRowsMs }) };
  const all: PipelineTest[] = [];
  const { knownTables } = await import('../../flows/data-graph/bind/known-tables.ts');
  const further = { ...context, progress, knownTables: knownTables(project, context.signal) };
  for await (const result of writeTestsWithRows(pipelines, project, further, budget)) {
    const text = result.first?.text ?? '';
    all.push(result);
    if (text !== '' && !dryRun) await writeFileAtomically(path.join(project.directory, result.file), text);
  }
  return all;
}

/** Where files exist already: on disk, also as a link, or only in git's index because a sparse check-out leaves them out. */
async function existing(
  files: readonly string[],
  { directory }: TestProject,
  { io: { env, signal } }: Session,
): Promise<ReadonlyMap<string, 'disk' | 'index'>> {
  const isOnDisk = (file: string) =>
    lstatSync(path.join(directory, file), { throwIfNoEntry: false }) !== undefined;
  const { namesLeftOut } = await import('../../lib/git/work-tree/left-out-text.ts');
  const leftOut = await namesLeftOut(directory, files, { environment: env, signal });
  return new Map(
    files.flatMap((file) => {
      const place = isOnDisk(file) ? 'disk' : leftOut.has(file) ? 'index' : undefined;
      return place === undefined ? [] : [[file, place] as const];
    }),
  );
}
