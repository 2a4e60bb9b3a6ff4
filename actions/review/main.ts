import { posix } from 'node:path';
import type { z } from 'zod';
import { reviewLocally, reviewPolicy, type ReviewReport, type ReviewRequest } from '../../flows/index.ts';
import { type ChangedFiles, findChangedFiles } from '../../lib/github/changed-files.ts';
import { type Delivery, deliverReport } from '../../lib/github/deliver-report.ts';
import { readTarget, type Target } from '../../lib/github/event-target.ts';
import { fetchCommit } from '../../lib/github/fetch-commit.ts';
import type { Action, StepResult } from '../kit/action.ts';
import { connectToGitHub } from '../kit/connect-to-github.ts';
import { readSettings } from '../kit/platform-access.ts';
import { commonOutputs } from '../kit/platform-inputs.ts';
import { openProject, type Project } from '../kit/project.ts';
import type { Step } from '../kit/step.ts';
import { reviewInputs } from './inputs.ts';
import { reportFailedReview } from './report-failed-review.ts';
import { withoutSecrets } from '../kit/redact-report.ts';
import { hasMoved, reviewByPlatform } from './platform-review.ts';
import { type Policy, readPolicy } from './policy.ts';
import { reportOfReview, scopeNotes } from './review-report.ts';
import { actionSource, sarifFile, sarifNotes } from './sarif-file.ts';
import type { Report } from '../../lib/github/report.ts';

type Inputs = z.output<typeof reviewInputs>;

/** Reviews the changed pipelines and shows every violation on its line. */
export const review: Action<typeof reviewInputs.shape> = {
  name: 'review',
  title: 'Review',
  description: 'Reviews the changed pipelines and shows every violation on its line.',
  inputs: reviewInputs,
  outputs: {
    ...commonOutputs,
    errors: 'Number of errors.',
    warnings: 'Number of warnings.',
    notices: 'Number of notices.',
    reviewed: 'Number of reviewed files.',
    commit: 'The commit that was reviewed.',
    'sarif-path': 'Path of the findings as SARIF, for GitHub code scanning; empty without a review.',
    url: 'Address of the check run or of the comment, if there is one.',
  },
  run: async (inputs, step) => {
    const target = readTarget(step.facts);
    if (target === undefined) return nothingToReview('The branch was deleted.');
    const folder = inputs['working-directory'];
    let key = keyOf(posix.normalize(folder).replace(/^\.?\/*|\/+$/gu, ''));
    try {
      const project = await openProject(step, folder);
      key = keyOf(project.directory);
      return await reviewTarget(target, project, inputs, step);
    } catch (error) {
      await reportFailedReview(error, { inputs, target, key, step });
      throw error;
    }
  },
};

/** The key that distinguishes the reviews of several projects in one repository. */
function keyOf(directory: string): string {
  return directory === '' ? 'review' : `review ${directory}`;
}

async function reviewTarget(
  target: Target,
  project: Project,
  inputs: Inputs,
  step: Step,
): Promise<StepResult> {
  const { facts, context } = step;
  const fetch = { directory: project.path, environment: step.environment, signal: context.signal };
  await fetchCommit({ ...fetch, commit: target.commit });
  const connection = await connectToGitHub(inputs['github-token'], step);
  const policy = await readPolicy(target, project, inputs['policy-from'], step);
  const { config } = policy;
  const notes = [...target.notes, ...policy.notes];
  const change = await findChangedFiles(target, {
    connection,
    repository: project.repository,
    fetch,
    onFallback: (sentence) => notes.push(sentence),
  });
  const local = inputs.local || target.fork || (target.withoutSecrets && !hasCredential(inputs, step));
  const request = requestOf(target, project, inputs, policy, change);
  if (local && target.withoutSecrets) {
    notes.push(
      'GitHub provides no secrets to this pull request, so Millrace evaluated the rules instead of the platform.',
    );
  }
  const reviewed = await (local
    ? reviewLocally(request, context)
    : reviewByPlatform(request, { inputs, policy: config, step, target, connection }));
  if (reviewed === 'superseded') return superseded(target, notes);
  // GitHub lists the files of the current head only. If the head has changed, the list says nothing about this commit.
  const empty = reviewed.outcome === 'nothing-to-do' && target.kind === 'pull-request' && !target.fork;
  if (empty && connection !== undefined && (await hasMoved(connection, target)))
    return superseded(target, notes);
  notes.push(...scopeNotes(reviewed));
  const masked = withoutSecrets(reportOfReview(reviewed, { notes }), step.redact);
  const sarif = sarifFile(reviewed, masked.findings, project.directory, { source: actionSource(step) });
  const report = { ...masked, notes: [...masked.notes, ...sarifNotes(sarif)] };
  const delivery = await deliverReport(report, {
    connection,
    serverUrl: facts.serverUrl,
    commit: target.commit,
    pullRequest: target.pullRequest,
    key: keyOf(project.directory),
    check: inputs.check,
    comment: inputs.comment,
    writeLine: step.command,
  });
  return {
    report,
    delivery,
    details: { ...reviewed, findings: report.findings, notes: report.notes },
    files: { 'sarif-path': { name: 'review.sarif', text: sarif.text } },
    outputs: outputsOf(reviewed, delivery),
  };
}

/** What to review, from the inputs and the policy; an input has precedence over `millrace.yaml`. */
function requestOf(
  target: Target,
  project: Project,
  inputs: Inputs,
  { config, commit: policyCommit }: Policy,
  change: ChangedFiles | undefined,
): ReviewRequest {
  return {
    repository: project.repository,
    directory: project.directory,
    branch: target.branch,
    commit: target.commit,
    scope: inputs.scope ?? config.review.scope,
    ...(inputs.files.length === 0 ? {} : { files: inputs.files }),
    ...(change === undefined ? {} : { change: { ...change, from: target.base } }),
    ...config.files,
    configDir: config.configDir,
    agentVersion: '',
    timeoutMs: inputs.timeout,
    failOn: inputs['fail-on'] ?? config.review.failOn,
    ...reviewPolicy(config, project.directory),
    // Known findings also come from the base: a pull request cannot declare its own findings as known.
    policyCommit,
  };
}

function outputsOf({ counts, reviewed, commit }: ReviewReport, delivery: Delivery): StepResult['outputs'] {
  return {
    errors: counts.error,
    warnings: counts.warning,
    notices: counts.notice,
    reviewed: reviewed.length,
    commit,
    url: delivery.checkUrl ?? delivery.commentUrl ?? '',
  };
}

function hasCredential(inputs: Inputs, step: Step): boolean {
  return readSettings(inputs, step.environment).credential !== undefined;
}

function emptyReview(outcome: Report['outcome'], headline: string, notes: readonly string[]): StepResult {
  return {
    report: { title: 'Review', outcome, headline, facts: [], findings: [], notes },
    details: {},
    outputs: { errors: 0, warnings: 0, notices: 0, reviewed: 0, commit: '', url: '' },
  };
}

/** The result if there is nothing to review. */
function nothingToReview(headline: string): StepResult {
  return emptyReview('nothing-to-do', headline, []);
}

/** The result if the branch has a newer commit than the one of this workflow run. */
function superseded({ branch, commit }: Target, notes: readonly string[]): StepResult {
  const headline = `The branch ${branch} has a newer commit than ${commit.slice(0, 12)}. See the run for the new commit.`;
  return emptyReview('superseded', headline, notes);
}
