import { resolve } from 'node:path';
import type { z } from 'zod';
import { projectAtBase } from '../../flows/diff/base-project.ts';
import type { DataDiff } from '../../flows/diff/data-diff.ts';
import { diffData } from '../../flows/diff/diff-data.ts';
import { changedPlaces } from '../../flows/diff/changed-places.ts';
import { reportOfDiff } from '../../flows/diff/report.ts';
import { defaultJobsInOneProcess } from '../../flows/pipeline-tests/run/default-jobs.ts';
import { testFailure } from '../../flows/pipeline-tests/files/test-problem.ts';
import { openWorkCopy } from '../../lib/git/work-tree/work-copy.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { deliverReport } from '../../lib/github/channels/deliver-report.ts';
import { annotationCommand, maximumPerLevel } from '../../lib/report/annotations.ts';
import { terminalLines } from '../../lib/report/terminal.ts';
import { readCheckTarget, type Target } from '../../lib/github/workflow-run/event-target.ts';
import type { StepResult } from '../kit/step/action.ts';
import { openCheckedOutTests } from '../kit/checkout/checked-out-tests.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { connectToGitHub } from '../kit/step/connect-to-github.ts';
import { otherBase, withCurrentBase } from '../kit/checkout/current-base.ts';
import {
  otherCheckOut,
  readCheckedOutCommit,
  refuseOtherCheckOut,
  refusePullRequestTarget,
} from '../kit/checkout/checked-out-commit.ts';
import { openProject, type Project } from '../kit/checkout/project.ts';
import { testCache } from '../kit/checkout/test-cache.ts';
import { reportKey } from '../kit/inputs/report-key.ts';
import { affectedPartName } from '../kit/step/finish-step.ts';
import { reportFailedStep } from '../kit/step/report-failed-step.ts';
import type { Step } from '../kit/step/step.ts';
import { explainTestFailure, invalidTests } from '../kit/checkout/test-failures.ts';
import { hasUnknown } from '../../flows/diff/is-change.ts';
import { affectedOutputs, affectedPart, withAffected } from './affected-part.ts';
import { signChecked } from '../kit/releases/evidence-inputs.ts';
import { diffFact } from './diff-fact.ts';
import { findBase } from '../kit/checkout/find-base.ts';
import type { diffInputs } from './inputs.ts';

type Inputs = z.output<typeof diffInputs> & { readonly engine: string };

const title = 'Data diff';

/**
 * Compares the data of the checked-out project with the data of its base. Throws Failure as `diffData` does; its
 * files are relative to the repository.
 */
export async function diffProject(inputs: Inputs, step: Step): Promise<StepResult> {
  refusePullRequestTarget(step.facts);
  const target = readCheckTarget(step.facts, { commit: inputs.commit });
  if (target === undefined) return nothingToCompare('The branch was deleted.');
  let key = keyOf(inputs['working-directory'], inputs);
  try {
    const opened = await openProject(step, inputs['working-directory']);
    key = keyOf(opened.directory, inputs);
    return await compare(target, opened, inputs, step);
  } catch (error) {
    const { comment, 'github-token': token } = inputs;
    await reportFailedStep(error, { title, token, check: 'off', comment, target, key, step });
    throw error;
  }
}

async function compare(ofEvent: Target, opened: Project, inputs: Inputs, step: Step): Promise<StepResult> {
  const { facts, context, environment } = step;
  const { signal } = context;
  const { repository, directory, path } = opened;
  const connection = await connectToGitHub(inputs['github-token'], step);
  const fetch = { directory: path, environment, signal };
  const target = connection === undefined ? ofEvent : await withCurrentBase(ofEvent, connection);
  const checkedOut = await readCheckedOutCommit(ofEvent, repository, signal);
  if (checkedOut.kind === 'merge' && inputs.base === undefined) refuseOldMerge(ofEvent, target);
  if (inputs.commit !== undefined)
    refuseOtherCheckOut(checkedOut, target, { input: 'commit', otherwise: 'Or correct the input commit.' });
  else if (facts.eventName === 'push' && inputs.base === undefined)
    refuseOtherCheckOut(checkedOut, target, { input: 'commit', otherwise: otherCheckOut });
  const base = await findBase(target, { inputBase: inputs.base, checkedOut, repository, connection, fetch });
  if ('reason' in base) return nothingToCompare(base.reason);
  const { filter, jobs = defaultJobsInOneProcess, files: names } = inputs;
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
      environment,
      signal,
    });
    step.log(
      `Running the tests of ${numberOf(files.length, 'file')} as they are, and with the pipelines of ${commit}, ${jobs} at a time.`,
    );
    const packages = resolve(facts.workspace, inputs.engine);
    const cache = testCache(inputs.cache, packages, step);
    const diff = await diffData(
      { project, base: atBase, files, filter, isPartial: names.length > 0, jobs, packages, cache },
      context,
    );
    const failsOnChange = inputs['fail-on'] === 'change';
    const plain = reportOfDiff(diff, { prefix, notes: base.notes, failsOnChange });
    const { changed } = await repository.changedOnDisk({ signal });
    const isWhole = names.length === 0 && filter === undefined && changed.length === 0;
    const fact =
      isWhole && diff.problems === undefined
        ? diffFact(diff, plain.outcome === 'failed' ? 'failed' : 'passed')
        : undefined;
    const about = { repository, commit: checkedOut.commit, pullRequest: target.pullRequest };
    const report = { ...plain, notes: [...plain.notes, ...(await signChecked(fact, about, inputs, step))] };
    const part =
      diff.isSame || !inputs.affected
        ? undefined
        : await affectedPart(project, atBase, { prefix, packages, signal });
    const whole = withAffected(report, part);
    // The end of the step logs the notes.
    for (const line of terminalLines({ ...whole, notes: [] })) step.log(line);
    for (const { at, message } of changedPlaces(diff).slice(0, maximumPerLevel)) {
      const place = { file: `${prefix}${at.file}`, line: at.line, column: at.column };
      step.command(annotationCommand('notice', message, { ...place, title: 'Data changes' }));
    }
    const delivery = await deliverReport(whole, {
      connection,
      serverUrl: facts.serverUrl,
      commit: target.commit,
      pullRequest: target.pullRequest,
      key: keyOf(directory, inputs),
      check: 'off',
      comment: inputs.comment,
      writeLine: step.command,
      redact: step.redact,
    });
    const result = {
      report,
      delivery,
      details: { ...diff, ...(part && { affected: part.affected }) },
      outputs: { ...outputsOf(diff, delivery.commentUrl), ...affectedOutputs(part) },
      ...(part && { parts: { [affectedPartName]: part.report } }),
    };
    if (diff.problems === undefined) return result;
    return { ...result, failure: invalidTests(testFailure(diff.problems), prefix, step) };
  } catch (error) {
    throw explainTestFailure(error, prefix, step);
  }
}

/** Throws Failure 'usage' for GitHub's test merge with a base that the pull request does not have any more. */
function refuseOldMerge(ofEvent: Target, { baseBranch = '' }: Target): void {
  if (baseBranch === (ofEvent.baseBranch ?? '')) return;
  throw new Failure('usage', {
    message: `${otherBase(baseBranch, ofEvent)} The checked-out commit is a merge with the old base.`,
    where: { input: 'base' },
    hint: 'See the workflow run for the new base. This run keeps its check-out when it is run again; a push starts a new one.',
  });
}

/** The key of the comment. Runs of other projects, and of other tests or with another base, have their own. */
function keyOf(directory: string, inputs: Inputs): string {
  const { files, filter, base, 'fail-on': failOn, affected } = inputs;
  const changes = failOn === 'never' ? undefined : failOn;
  return reportKey('data', directory, {
    files,
    filter,
    base: base !== undefined,
    'fail-on': changes,
    'without affected': !affected,
  });
}

/** What a reader calls the commit. */
function nameOf(commit: string, { base, kind, isBaseNamed = false }: Target): string {
  if (kind === 'pull-request')
    return base === commit ? 'the target branch' : 'the point where the branch began';
  return base === commit && !isBaseNamed ? 'the commit before' : commit;
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
    'not-compared': changes.filter(hasUnknown).length,
    base: base.commit,
    url,
  };
}

/** The result if there is nothing to compare with. */
function nothingToCompare(headline: string): StepResult {
  return {
    report: { title, outcome: 'nothing-to-do', headline, facts: [], findings: [], notes: [] },
    details: {},
    outputs: {
      tests: 0,
      tables: 0,
      added: 0,
      removed: 0,
      changed: 0,
      'not-compared': 0,
      ...affectedOutputs(undefined),
      base: '',
      url: '',
    },
  };
}
