import type { z } from 'zod';
import { requireSetting } from '../../config/require-setting.ts';
import { reviewLocally, reviewOnPlatform, type ReviewReport, type ReviewRequest } from '../../flows/index.ts';
import { readBranchTip } from '../../github/branch-tip.ts';
import { connectGitHub, type GitHubConnection } from '../../github/connection.ts';
import { deliverReport } from '../../github/deliver-report.ts';
import { readTarget, type Target } from '../../github/event-target.ts';
import { fetchCommit } from '../../github/fetch-commit.ts';
import type { Report } from '../../github/report.ts';
import { Failure } from '../../model/failure.ts';
import type { Action, StepResult } from '../action.ts';
import { openPlatform, readSettings } from '../platform-access.ts';
import { commonOutputs } from '../platform-inputs.ts';
import { openProject } from '../project.ts';
import type { Step } from '../step.ts';
import { changedScope, type Scope } from './changed-scope.ts';
import { reviewInputs } from './inputs.ts';
import { readPolicy } from './policy.ts';
import { policyFinding, reportOfReview } from './review-report.ts';

type Inputs = z.output<typeof reviewInputs>;

/** Reviews the pipelines that a change touched, and shows every violation on its line. */
export const review: Action<typeof reviewInputs.shape> = {
  name: 'review',
  title: 'Review',
  description: 'Reviews the pipelines that a change touches and shows every violation on its line.',
  inputs: reviewInputs,
  outputs: {
    ...commonOutputs,
    errors: 'Number of errors.',
    warnings: 'Number of warnings.',
    notices: 'Number of notices.',
    reviewed: 'Number of reviewed files.',
    commit: 'The commit that was reviewed.',
    url: 'Address of the check run or the comment, where one was made.',
  },
  run: async (inputs, step) => {
    const target = readTarget(step.facts);
    return target === undefined
      ? nothing('The branch was deleted.')
      : await reviewTarget(target, inputs, step);
  },
};

async function reviewTarget(target: Target, inputs: Inputs, step: Step): Promise<StepResult> {
  const { facts, context } = step;
  const project = await openProject(step, inputs['working-directory']);
  await fetchCommit({
    directory: project.path,
    commit: target.commit,
    environment: step.environment,
    signal: context.signal,
  });
  const token = inputs['github-token'];
  const connection =
    token === undefined
      ? undefined
      : connectGitHub({
          apiUrl: facts.apiUrl,
          token,
          repository: facts.repository,
          clock: context.clock,
          signal: context.signal,
        });
  const policy = await readPolicy(target, project, inputs['policy-from'], step);
  const { config } = policy;
  const scope: Scope =
    inputs.files.length > 0
      ? { files: inputs.files, notes: [], policyChanges: [] }
      : (inputs.scope ?? config.review.scope) === 'all'
        ? { files: undefined, notes: [], policyChanges: [] }
        : await changedScope(target, project, config, connection);
  const local = inputs.local || target.fork || (target.withoutSecrets && !hasCredential(inputs, step));
  const request: ReviewRequest = {
    repository: project.repository,
    directory: project.directory,
    branch: target.branch,
    commit: target.commit,
    scope: 'all',
    files: scope.files,
    include: config.files.include,
    configDir: config.configDir,
    agentVersion: '',
    failOn: failOnOf(inputs, config.review.failOn),
  };
  const notes = [...target.notes, ...policy.notes, ...scope.notes];
  if (local && target.withoutSecrets) {
    notes.push(
      'GitHub hands out no secrets to this pull request, so the rules were evaluated by Millrace and not by the platform.',
    );
  }
  const reviewed = local
    ? await reviewLocally(request, context)
    : await onPlatform(request, { inputs, policy: config, step, target, connection });
  if (reviewed === 'superseded') return superseded(target, notes);
  // GitHub lists the files of the pull request as it is now; of a head that is gone it says nothing.
  const empty = reviewed.outcome === 'nothing-to-do' && target.kind === 'pull-request' && !target.fork;
  if (empty && connection !== undefined && (await hasMoved(connection, target)))
    return superseded(target, notes);
  const findings = scope.policyChanges.map(policyFinding);
  const report = reportOfReview(reviewed, { findings, notes });
  const delivery = await deliverReport(report, {
    connection,
    serverUrl: facts.serverUrl,
    commit: target.commit,
    pullRequest: target.pullRequest,
    key: project.directory === '' ? 'review' : `review ${project.directory}`,
    check: inputs.check,
    comment: inputs.comment,
    writeLine: step.command,
  });
  const { counts, commit } = reviewed;
  return {
    report,
    delivery,
    details: { ...reviewed, findings: report.findings, notes },
    outputs: {
      errors: counts.error,
      warnings: counts.warning,
      notices: counts.notice,
      reviewed: reviewed.reviewed.length,
      commit,
      url: delivery.checkUrl ?? delivery.commentUrl ?? '',
    },
  };
}

interface PlatformReview {
  readonly inputs: Inputs;
  readonly policy: Parameters<typeof openPlatform>[1];
  readonly step: Step;
  readonly target: Target;
  readonly connection: GitHubConnection | undefined;
}

async function onPlatform(
  request: ReviewRequest,
  { inputs, policy, step, target, connection }: PlatformReview,
): Promise<ReviewReport | 'superseded'> {
  if (target.branch === '') {
    throw new Failure('usage', {
      message: 'The platform reviews a branch, and this run is about a tag (spec §4.5).',
      where: { input: 'GITHUB_REF' },
      mend: 'Review on pull_request, merge_group or a push to a branch; or set local: true.',
    });
  }
  const { agentVersion } = readSettings(inputs, step.environment);
  const choices = {
    flag: inputs['agent-version'],
    environment: agentVersion,
    file: policy.review.agentVersion,
  };
  await using platform = openPlatform(inputs, policy, step);
  try {
    const agent = requireSetting('no-agent-version', choices).value;
    return await reviewOnPlatform({ ...request, agentVersion: agent }, platform);
  } catch (error) {
    // A branch that moved on is no fault: the platform reads the commit on the branch, and the newer run answers.
    const asked =
      error instanceof Failure && !['usage', 'no-agent-version', 'cancelled'].includes(error.code);
    if (asked && connection !== undefined && (await hasMoved(connection, target))) return 'superseded';
    throw error;
  }
}

async function hasMoved(connection: GitHubConnection, { branch, commit }: Target): Promise<boolean> {
  try {
    return (await readBranchTip(connection, branch)) !== commit;
  } catch {
    return false;
  }
}

function hasCredential(inputs: Inputs, step: Step): boolean {
  return readSettings(inputs, step.environment).credential !== undefined;
}

function failOnOf(
  inputs: Inputs,
  configured: 'error' | 'warning' | 'notice' | 'never',
): ReviewRequest['failOn'] {
  return inputs['fail-on'] ?? (configured === 'notice' ? 'warning' : configured);
}

function end(outcome: Report['outcome'], headline: string, notes: readonly string[]): StepResult {
  return {
    report: { title: 'Review', outcome, headline, facts: [], findings: [], notes },
    details: {},
    outputs: { errors: 0, warnings: 0, notices: 0, reviewed: 0, commit: '', url: '' },
  };
}

function nothing(headline: string): StepResult {
  return end('nothing-to-do', headline, []);
}

function superseded({ branch, commit }: Target, notes: readonly string[]): StepResult {
  const headline = `The branch ${branch} has moved on from ${commit.slice(0, 12)}; the run of its new head answers.`;
  return end('superseded', headline, notes);
}
