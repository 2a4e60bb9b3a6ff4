import { resolve } from 'node:path';
import type { z } from 'zod';
import { bindProject } from '../../flows/data-graph/bind/bind-project.ts';
import { compile } from '../../flows/data-graph/compile/compile.ts';
import { compileSettings } from '../../flows/data-graph/compile/compile-settings.ts';
import { concludeCompile } from '../../flows/data-graph/compile/conclude-compile.ts';
import type { CompileReport } from '../../flows/data-graph/compile/compile-report.ts';
import { type CompiledOptions, withCompiled } from '../../flows/data-graph/compile/report.ts';
import { withMutation } from '../../flows/mutation/report/report.ts';
import type { MutationReport } from '../../flows/mutation/run/mutate.ts';
import { reportJunit } from '../../flows/pipeline-tests/report/report-junit.ts';
import { reportOfTests } from '../../flows/pipeline-tests/report/report.ts';
import { terminalLines } from '../../lib/report/terminal.ts';
import { runTests, type TestRequest } from '../../flows/pipeline-tests/run/run-tests.ts';
import type { TestReport } from '../../flows/pipeline-tests/run/test-report.ts';
import { durationsText } from '../../flows/pipeline-tests/shards/durations-file.ts';
import type { Shard } from '../../flows/pipeline-tests/shards/choose-shard.ts';
import type { ShardSettings } from '../../flows/pipeline-tests/shards/write-blob.ts';
import { mergeFolder, runShard, type ShardRun } from './shards.ts';
import { defaultJobs } from '../../flows/pipeline-tests/run/default-jobs.ts';
import { testFailure } from '../../flows/pipeline-tests/files/test-problem.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { visibleText } from '../../lib/core/text/visible-text.ts';
import { annotationCommand, maximumPerLevel } from '../../lib/report/annotations.ts';
import { readCheckTarget, type Target } from '../../lib/github/workflow-run/event-target.ts';
import type { ReportFile, StepResult } from '../kit/step/action.ts';
import {
  otherCheckOut,
  readCheckedOutCommit,
  refuseOtherCheckOut,
  refusePullRequestTarget,
} from '../kit/checkout/checked-out-commit.ts';
import { openCheckedOutTests } from '../kit/checkout/checked-out-tests.ts';
import { openProject } from '../kit/checkout/project.ts';
import { testCache } from '../kit/checkout/test-cache.ts';
import { describeSettings } from '../kit/inputs/report-key.ts';
import type { Step } from '../kit/step/step.ts';
import { explainTestFailure, invalidTests } from '../kit/checkout/test-failures.ts';
import type { testInputs } from './inputs.ts';
import { nothingToTest } from './nothing-to-test.ts';
import { plantChanges } from './plant-changes.ts';
import { snapshotFile } from './tested-snapshot.ts';
import { signTests } from './tests-fact.ts';

type Inputs = Omit<z.output<typeof testInputs>, 'shard'> & {
  readonly engine: string;
  readonly shard: Shard | undefined;
};

/**
 * Runs the tests of the checked-out project. Throws Failure as `runTests` does; its files are relative to the
 * repository.
 */
export async function runProjectTests(inputs: Inputs, step: Step): Promise<StepResult> {
  refusePullRequestTarget(step.facts);
  const target = readCheckTarget(step.facts, { commit: inputs.commit });
  if (target === undefined) return nothingToTest;
  const { filter, jobs = defaultJobs, coverage } = inputs;
  const { project, files, prefix, config } = await openCheckedOutTests(
    inputs['working-directory'],
    inputs.files,
    step,
  );
  const tested = await describeTested(target, inputs, step);
  try {
    const packages = resolve(step.facts.workspace, inputs.engine);
    const cache = testCache(inputs.cache, packages, step);
    const request = { project, files, filter, jobs, withCoverage: coverage, packages, cache };
    const { signal } = step.context;
    const { report, settings, shard } = await resultsOf(
      request,
      { inputs, commit: tested.commit, prefix },
      step,
    );
    // The job that merges the shards compiles, once.
    const isCompiled = inputs.compile !== 'off' && config.compile.enabled && shard === undefined;
    const graph = isCompiled ? await bindProject(project, { signal, packages }) : undefined;
    const compiled =
      graph && concludeCompile(compile(graph), compileSettings(project, config, step.context.clock));
    const hasPassed = report.problems === undefined && report.failed + report.refused === 0;
    // A test that fails notices nothing.
    const planted =
      hasPassed && shard === undefined
        ? await plantChanges(target, { ...request, inputs, equal: config.mutation.equal }, step)
        : undefined;
    const chosen = describeSettings(settings);
    const notes = [
      ...tested.notes,
      ...(chosen === '' ? [] : [`Only some tests were chosen: ${chosen}.`]),
      ...(shard === undefined ? [] : [shard.note]),
      ...(planted !== undefined && 'note' in planted && planted.note !== undefined ? [planted.note] : []),
    ];
    const result = resultOf(
      report,
      {
        prefix,
        commit: tested.commit,
        notes,
        compiled,
        onlyWarns: inputs.compile === 'warn',
        mutation: planted !== undefined && 'report' in planted ? planted.report : undefined,
        threshold: inputs['mutate-threshold'],
        blob: shard?.blob,
        snapshot:
          graph && tested.isClean
            ? await snapshotFile(graph, tested.commit, inputs['working-directory'], step)
            : undefined,
      },
      step,
    );
    if (planted !== undefined && 'failure' in planted) return { ...result, failure: planted.failure };
    // Only the tests of a whole commit say something about it.
    const isWhole = shard === undefined && chosen === '' && tested.isClean && report.problems === undefined;
    if (isWhole && inputs['evidence-key'] !== undefined) {
      const { repository } = await openProject(step, inputs['working-directory']);
      const about = { repository, commit: tested.commit, pullRequest: target.pullRequest };
      return await signTests({ report, result, planted }, about, inputs, step);
    }
    if (report.problems === undefined) return result;
    if (shard === undefined) annotateFindings(report, prefix, step);
    // The job that merges the shards annotates all problems, once.
    const command = shard === undefined ? step.command : () => {};
    return { ...result, failure: invalidTests(testFailure(report.problems), prefix, { command }) };
  } catch (error) {
    throw explainTestFailure(error, prefix, step);
  }
}

interface Results {
  readonly report: TestReport;
  /** Which tests were chosen. */
  readonly settings: Pick<ShardSettings, 'filter'> & { readonly files: readonly string[] };
  readonly shard?: ShardRun;
}

/** Runs all tests or one shard, or merges what shards have run. */
async function resultsOf(
  request: TestRequest,
  { inputs, commit, prefix }: { readonly inputs: Inputs; readonly commit: string; readonly prefix: string },
  step: Step,
): Promise<Results> {
  const { shard, durations, blobs } = inputs;
  if (blobs !== undefined) {
    step.log(`Merging the shards of the folder ${blobs}.`);
    const { report, settings } = await mergeFolder(blobs, { commit, project: prefix }, step);
    const { files = '', filter = '' } = settings;
    return { report, settings: { files: files.split('\n').filter((file) => file !== ''), filter } };
  }
  const { filter = '', files, jobs, withCoverage } = { ...request, files: inputs.files };
  const settings = { files, filter };
  step.log(`Running the tests of ${numberOf(request.files.length, 'file')}, ${jobs} at a time.`);
  if (shard === undefined) return { report: await runTests(request, step.context), settings };
  const shardSettings = {
    commit,
    project: prefix,
    filter,
    files: files.join('\n'),
    python: 'false',
    coverage: String(withCoverage),
  };
  const run = await runShard(request, { shard, durations, settings: shardSettings }, step);
  return { report: run.report, settings, shard: run };
}

interface Tested {
  /** Empty if it is not known. */
  readonly commit: string;
  /** The commit has exactly the files on disk. */
  readonly isClean: boolean;
  /** For the reader. */
  readonly notes: readonly string[];
}

/**
 * What is tested. For a change that may be merged, for a push, and for a commit that the workflow names, it must be what is
 * checked out: throws Failure 'usage' for another check-out, and 'git-failed' if there is none.
 */
async function describeTested(target: Target, inputs: Inputs, step: Step): Promise<Tested> {
  const decides =
    target.kind === 'pull-request' ||
    target.kind === 'merge-group' ||
    step.facts.eventName === 'push' ||
    inputs.commit !== undefined;
  try {
    const { repository } = await openProject(step, inputs['working-directory']);
    const checkedOut = await readCheckedOutCommit(target, repository, step.context.signal);
    if (decides) {
      refuseOtherCheckOut(checkedOut, target, { input: 'commit', otherwise: otherCheckOut });
    }
    const { commit, description } = checkedOut;
    const { changed } = await repository.changedOnDisk({ signal: step.context.signal });
    const isClean = changed.length === 0;
    return {
      commit,
      isClean,
      notes: [`Tested: ${commit.slice(0, 12)}, ${description}${describeChanged(changed)}.`],
    };
  } catch (error) {
    const isUnknown = error instanceof Failure && error.code === 'git-failed' && !step.context.signal.aborted;
    if (decides || !isUnknown) throw error;
    return {
      commit: '',
      isClean: false,
      notes: ['Which commit was tested is not known: the check-out has no git repository.'],
    };
  }
}

/** Says which files were tested as they are on disk, because an earlier step changed, wrote or deleted them. */
function describeChanged(files: readonly string[]): string {
  const [first] = files;
  if (first === undefined) return '';
  const names =
    files.length === 1 ? visibleText(first) : `${files.length} files, such as ${visibleText(first)}`;
  return `, with uncommitted changes on disk: ${names}`;
}

/** Annotates the false expectations of tests that ran although other files are wrong. The problems of files take precedence, because GitHub limits the annotations. */
function annotateFindings(report: TestReport, prefix: string, { command }: Step): void {
  const { findings } = reportOfTests(report, { prefix });
  const left = Math.max(0, maximumPerLevel - (report.problems?.length ?? 0));
  for (const { severity, message, rule, file, line, column } of findings.slice(0, left))
    command(annotationCommand(severity, message, { file, line, column, title: rule }));
}

function resultOf(
  report: TestReport,
  {
    prefix,
    commit,
    notes,
    compiled,
    onlyWarns,
    mutation,
    threshold,
    blob,
    snapshot,
  }: Omit<Tested, 'isClean'> &
    CompiledOptions & {
      readonly compiled: CompileReport | undefined;
      readonly mutation: MutationReport | undefined;
      /** The smallest accepted percentage of noticed changes. */
      readonly threshold: number | undefined;
      /** The results of a shard, whose findings the job that merges the shards reports. */
      readonly blob: ReportFile | undefined;
      /** What the pipelines are and do; undefined if it is not known, or not of a commit. */
      readonly snapshot: ReportFile | undefined;
    },
  { log }: Step,
): StepResult {
  const ofTests = reportOfTests(report, { prefix, commit, notes });
  const withColumns =
    compiled === undefined ? ofTests : withCompiled(ofTests, compiled, { prefix, onlyWarns });
  const all =
    mutation === undefined ? withColumns : withMutation(withColumns, mutation, { prefix, threshold });
  const shown = blob === undefined ? all : { ...all, findings: [] };
  // The end of the step logs facts and notes.
  for (const line of terminalLines({ ...shown, facts: [], notes: [] })) log(line);
  const { passed, failed, refused, tests, coverage } = report;
  const files: Record<string, ReportFile> = {
    'junit-path': { name: 'junit.xml', text: `${reportJunit(report).join('\n')}\n` },
  };
  if (blob === undefined) files['durations-path'] = { name: 'durations.json', text: durationsText(tests) };
  else files['blob-path'] = blob;
  if (snapshot !== undefined) files['snapshot-path'] = snapshot;
  if (coverage !== undefined) {
    const text = `${JSON.stringify(coverage, null, 2)}\n`;
    files['coverage-path'] = { name: 'coverage.json', text };
  }
  return {
    report: shown,
    details: { ...report, ...(compiled && { compiled }), ...(mutation && { mutation }) },
    outputs: {
      tests: tests.length,
      passed,
      failed,
      refused,
      commit,
      noticed: mutation?.percent ?? '',
      findings: compiled?.findings.filter(({ state }) => state === 'new').length ?? '',
    },
    files,
  };
}
