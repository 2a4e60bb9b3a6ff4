import { posix, resolve } from 'node:path';
import type { z } from 'zod';
import { projectAtBase } from '../../flows/diff/base-project.ts';
import type { DataDiff } from '../../flows/diff/data-diff.ts';
import { diffData } from '../../flows/diff/diff-data.ts';
import { diffLines } from '../../flows/diff/diff-lines.ts';
import { defaultJobs } from '../../flows/test/default-jobs.ts';
import { testFailure } from '../../flows/test/test-problem.ts';
import { openWorkCopy } from '../../lib/git/work-copy.ts';
import { numberOf } from '../../lib/core/number-of.ts';
import { deliverReport } from '../../lib/github/deliver-report.ts';
import { readTarget, type Target } from '../../lib/github/event-target.ts';
import type { StepResult } from '../kit/action.ts';
import { openCheckedOutTests } from '../kit/checked-out-tests.ts';
import { connectToGitHub } from '../kit/connect-to-github.ts';
import { hasMoved } from '../kit/has-moved.ts';
import { openProject, type Project } from '../kit/project.ts';
import { reportFailedStep } from '../kit/report-failed-step.ts';
import { withoutSecrets } from '../kit/redact-report.ts';
import type { Step } from '../kit/step.ts';
import { explainTestFailure, invalidTests } from '../kit/test-failures.ts';
import { diffAnnotations, reportOfDiff } from './diff-report.ts';
import { findBase } from './find-base.ts';
import type { diffInputs } from './inputs.ts';

type Inputs = z.output<typeof diffInputs> & { readonly engine: string };

const title = 'Data diff';

/** Compares the data of the checked-out project with those of its base. Throws Failure as `diffData` does, with files relative to the repository. */
export async function diffProject(inputs: Inputs, step: Step): Promise<StepResult> {
  const target = readTarget(step.facts);
  if (target === undefined) return nothingToCompare('The branch was deleted.');
  let key = keyOf(inputs['working-directory']);
  try {
    const checkedOut = await openProject(step, inputs['working-directory']);
    key = keyOf(checkedOut.directory);
    return await compare(target, checkedOut, inputs, step);
  } catch (error) {
    const { comment, 'github-token': token } = inputs;
    await reportFailedStep(error, { title, token, check: 'off', comment, target, key, step });
    throw error;
  }
}

async function compare(target: Target, checkedOut: Project, inputs: Inputs, step: Step): Promise<StepResult> {
  const { facts, context, environment } = step;
  const { signal } = context;
  const { repository, directory, path } = checkedOut;
  const connection = await connectToGitHub(inputs['github-token'], step);
  const fetch = { directory: path, environment, signal };
  const base = await findBase(target, { given: inputs.base, repository, connection, fetch });
  if (base === undefined)
    return nothingToCompare(
      'Nothing was compared: the event names no earlier commit, or GitHub does not have it any more. To name one, set the input base.',
    );
  const { filter, jobs = defaultJobs, files: names } = inputs;
  const { project, files, prefix } = await openCheckedOutTests(inputs['working-directory'], names, step);
  try {
    const { commit } = base;
    const workTree = await openWorkCopy(path, 'working-tree', { environment, signal });
    const name = nameOf(commit, target);
    const atBase = await projectAtBase(project, {
      repository,
      workTree,
      directory,
      commit,
      name,
      isFork: false,
      signal,
    });
    step.log(
      `Running the tests of ${numberOf(files.length, 'file')} as they are, and with the pipelines of ${commit}, ${jobs} at a time.`,
    );
    const packages = resolve(facts.workspace, inputs.engine);
    const diff = await diffData(
      { project, base: atBase, files, filter, isPartial: names.length > 0, jobs, packages },
      context,
    );
    for (const line of diffLines(diff)) step.log(line);
    for (const line of diffAnnotations(diff, prefix)) step.command(line);
    const failsOnChange = inputs['fail-on'] === 'change';
    if (connection !== undefined && target.pullRequest !== undefined && (await hasMoved(connection, target)))
      return superseded(target);
    const report = reportOfDiff(diff, { prefix, notes: base.notes, failsOnChange });
    const delivery = await deliverReport(withoutSecrets(report, step.redact), {
      connection,
      serverUrl: facts.serverUrl,
      commit: target.commit,
      pullRequest: target.pullRequest,
      key: keyOf(directory),
      check: 'off',
      comment: inputs.comment,
      writeLine: step.command,
    });
    const result = { report, delivery, details: diff, outputs: outputsOf(diff, delivery.commentUrl) };
    if (diff.problems === undefined) return result;
    return { ...result, failure: invalidTests(testFailure(diff.problems), prefix, step) };
  } catch (error) {
    throw explainTestFailure(error, prefix, step);
  }
}

/** The key that distinguishes the comments of several projects in one repository. */
function keyOf(directory: string): string {
  const folder = posix.normalize(directory).replace(/^\.?\/*|\/+$/gu, '');
  return folder === '' ? 'data' : `data ${folder}`;
}

/** What a reader calls the commit. */
function nameOf(commit: string, { base, kind }: Target): string {
  if (kind === 'pull-request')
    return base === commit ? 'the target branch' : 'the point where the branch began';
  return base === commit ? 'the commit before' : commit;
}

function outputsOf({ tests, tables, changes, base }: DataDiff, url = ''): StepResult['outputs'] {
  const sum = (count: 'added' | 'removed' | 'changed') =>
    tables.reduce((total, table) => total + table[count], 0);
  return {
    tests,
    tables: tables.length,
    added: sum('added'),
    removed: sum('removed'),
    changed: sum('changed'),
    'not-compared': changes.filter(({ status }) => status === 'not-compared').length,
    base: base.commit,
    url,
  };
}

/** The run for the newer commit writes the comment. */
function superseded({ branch, commit }: Target): StepResult {
  return withoutDiff(
    'superseded',
    `The branch ${branch} has a newer commit than ${commit.slice(0, 12)}. See the run for the new commit.`,
  );
}

/** The result where there is nothing to compare with. */
function nothingToCompare(headline: string): StepResult {
  return withoutDiff('nothing-to-do', headline);
}

function withoutDiff(outcome: 'superseded' | 'nothing-to-do', headline: string): StepResult {
  return {
    report: { title, outcome, headline, facts: [], findings: [], notes: [] },
    details: {},
    outputs: { tests: 0, tables: 0, added: 0, removed: 0, changed: 0, 'not-compared': 0, base: '', url: '' },
  };
}
