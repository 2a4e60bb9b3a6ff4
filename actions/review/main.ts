import type { z } from 'zod';
import { problemsOfBase } from '../../flows/review/problems-of-base.ts';
import { reviewLocally } from '../../flows/review/review-locally.ts';
import { reviewPolicy } from '../../flows/review/scope/review-policy.ts';
import type { ReviewReport, ReviewRequest } from '../../flows/review/scope/review-request.ts';
import { nestedProjects } from '../../flows/project/nested-projects.ts';
import { ignoreMissingHistory } from '../../flows/review/scope/ignore-missing-history.ts';
import { type ChangedFilesFetch, findChangedFiles } from '../../lib/github/workflow-run/changed-files.ts';
import { withoutSecrets } from '../../lib/report/report.ts';
import { type Delivery, deliverReport } from '../../lib/github/channels/deliver-report.ts';
import { readCheckTarget, type Target } from '../../lib/github/workflow-run/event-target.ts';
import { fetchCommit } from '../../lib/github/workflow-run/fetch-commit.ts';
import type { Action, StepResult } from '../kit/step/action.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { GitHubConnection } from '../../lib/github/workflow-run/connect-github.ts';
import { connectToGitHub } from '../kit/step/connect-to-github.ts';
import { withCurrentBase } from '../kit/checkout/current-base.ts';
import { jsonList } from '../kit/step/json-list.ts';
import { readSettings } from '../kit/inputs/platform-access.ts';
import { commonOutputs } from '../kit/inputs/platform-inputs.ts';
import { openProject, type Project } from '../kit/checkout/project.ts';
import type { Step } from '../kit/step/step.ts';
import { reportKey } from '../kit/inputs/report-key.ts';
import { coverageOf, reviewSettings } from '../kit/inputs/review-settings.ts';
import { reviewInputs } from './inputs.ts';
import { signChecked } from '../kit/releases/evidence-inputs.ts';
import { reviewFact } from './review-fact.ts';
import { refuseNestedProjects } from '../kit/checkout/refuse-nested-projects.ts';
import { reportFailedStep } from '../kit/step/report-failed-step.ts';
import { reviewByPlatform } from './platform-review.ts';
import { type Policy, readPolicy } from './policy.ts';
import { reportOfReview } from '../../flows/review/report.ts';
import { actionSource, sarifFile, sarifNotes } from './sarif-file.ts';
import type { Report } from '../../lib/report/report.ts';

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
    pipelines:
      'The reviewed pipelines as a JSON list, for `fromJSON` in a matrix; empty if it is longer than 10,000 characters.',
    commit: 'The commit that was reviewed.',
    'sarif-path': 'Path of the findings as SARIF, for GitHub code scanning; empty without a review.',
    url: 'Address of the check run or of the comment, if there is one.',
  },
  run: async (inputs, step) => {
    const target = readCheckTarget(step.facts, inputs);
    if (target === undefined) return nothingToReview('The branch was deleted.');
    const folder = inputs['working-directory'];
    const settings = { ...coverageOf(target, step.facts), ...reviewSettings(inputs) };
    let key = reportKey('review', folder, settings);
    try {
      const project = await openProject(step, folder);
      key = reportKey('review', project.directory, settings);
      return await reviewTarget(target, project, { inputs, key }, step);
    } catch (error) {
      const { check, comment, 'github-token': token } = inputs;
      await reportFailedStep(error, { title: 'Review', token, check, comment, target, key, step });
      throw error;
    }
  },
};

async function reviewTarget(
  ofEvent: Target,
  project: Project,
  { inputs, key }: { readonly inputs: Inputs; readonly key: string },
  step: Step,
): Promise<StepResult> {
  const { facts, context } = step;
  const fetch = { directory: project.path, environment: step.environment, signal: context.signal };
  await fetchCommit({ ...fetch, commit: ofEvent.commit });
  const connection = await connectToGitHub(inputs['github-token'], step);
  const target = connection === undefined ? ofEvent : await withCurrentBase(ofEvent, connection);
  const policy = await readPolicy(target, project, inputs['policy-from'], step);
  if (!policy.hasFile) {
    const tree = await project.repository.listTree(target.commit);
    const paths = tree.map(({ path }) => path);
    refuseNestedProjects(nestedProjects(paths, project.directory), 'review');
  }
  const { config } = policy;
  const notes = [...target.notes, ...policy.notes];
  const change = await findChangedFiles(target, {
    connection,
    repository: project.repository,
    fetch,
    onFallback: (sentence) => notes.push(sentence),
  });
  const local = inputs.local || target.fork || (target.withoutSecrets && !hasCredential(inputs, step));
  const from = await startOf(target, project, context.signal);
  const requested = requestOf(target, project, inputs, policy, change && { ...change, from });
  const { notes: ofBase, ...problems } = inputs['new-only']
    ? await knownProblems(requested, { target, fetch, connection, step })
    : noBase;
  notes.push(...ofBase);
  const request = { ...requested, ...problems };
  if (local && target.withoutSecrets) {
    notes.push(
      'GitHub provides no secrets to this pull request, so Millrace evaluated the rules instead of the platform.',
    );
  }
  const reviewed = await (local
    ? reviewLocally(request, context)
    : reviewByPlatform(request, { inputs, policy: config, step, target, connection }));
  if (reviewed === 'moved') return superseded(target, notes);
  if (reviewed === 'deleted') return nothingToReview(`The branch ${target.branch} was deleted.`, notes);
  const about = { repository: project.repository, commit: target.commit, pullRequest: target.pullRequest };
  notes.push(...(await signChecked(reviewFact(reviewed, request), about, inputs, step)));
  const masked = withoutSecrets(reportOfReview(reviewed, { notes }), step.redact);
  const sarif = sarifFile(reviewed, masked.findings, project.directory, {
    source: actionSource(step),
    files: inputs.files,
  });
  const report = { ...masked, notes: [...masked.notes, ...sarifNotes(sarif)] };
  const delivery = await deliverReport(report, {
    connection,
    serverUrl: facts.serverUrl,
    commit: target.commit,
    pullRequest: target.pullRequest,
    key,
    check: inputs.check,
    comment: inputs.comment,
    writeLine: step.command,
    redact: step.redact,
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
  { config, commit: policyCommit, settingsCommit }: Policy,
  change: ReviewRequest['change'],
): ReviewRequest {
  return {
    repository: project.repository,
    directory: project.directory,
    branch: target.branch,
    commit: target.commit,
    scope: inputs.scope ?? config.review.scope,
    ...(inputs.files.length === 0 ? {} : { files: inputs.files }),
    ...(change === undefined ? {} : { change }),
    ...config.files,
    configDir: config.configDir,
    agentVersion: '',
    timeoutMs: inputs.timeout,
    failOn: inputs['fail-on'] ?? config.review.failOn,
    ...reviewPolicy(config, project.directory),
    // Known findings also come from the base: a pull request cannot declare its own findings as known.
    policyCommit,
    settingsCommit,
  };
}

/** The commit that the change starts from: the merge base, if this clone has the history; of a push, the commit before it. */
async function startOf(
  { kind, base, commit, isBaseNamed = false }: Target,
  { repository }: Project,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (base === undefined || (kind === 'branch' && !isBaseNamed)) return base;
  const fork = await ignoreMissingHistory(repository.mergeBase(base, commit, { signal }));
  signal.throwIfAborted();
  return fork ?? base;
}

const noBase = { notes: [] };

/** For `new-only`: what the base of the event has already. Throws Failure 'git-failed' if the base cannot be read. */
async function knownProblems(
  request: ReviewRequest,
  {
    target: { base, commit },
    fetch,
    connection,
    step,
  }: {
    readonly target: Target;
    readonly fetch: ChangedFilesFetch;
    readonly connection: GitHubConnection | undefined;
    readonly step: Step;
  },
): Promise<Pick<ReviewRequest, 'baseProblems'> & { readonly notes: readonly string[] }> {
  if (base === undefined)
    return { notes: ['The event has no base, so `new-only` has no effect: every problem counts.'] };
  await fetchCommit({ ...fetch, commit: base });
  // A check-out usually has no history. If GitHub does not answer, git may know the merge base.
  const mergeBase = await connection?.commits
    .mergeBase(connection.repository, base, commit)
    .catch((error: unknown) => {
      if (!(error instanceof Failure) || step.context.signal.aborted) throw error;
      return undefined;
    });
  if (mergeBase !== undefined) await fetchCommit({ ...fetch, commit: mergeBase });
  return problemsOfBase(request, { base, mergeBase }, step.context);
}

function outputsOf({ counts, reviewed, commit }: ReviewReport, delivery: Delivery): StepResult['outputs'] {
  return {
    errors: counts.error,
    warnings: counts.warning,
    notices: counts.notice,
    reviewed: reviewed.length,
    pipelines: jsonList(reviewed),
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
    outputs: { errors: 0, warnings: 0, notices: 0, reviewed: 0, pipelines: '[]', commit: '', url: '' },
  };
}

/** The result if there is nothing to review. */
function nothingToReview(headline: string, notes: readonly string[] = []): StepResult {
  return emptyReview('nothing-to-do', headline, notes);
}

/** The result if the branch has a newer commit than the one of this workflow run. */
function superseded({ branch, commit }: Target, notes: readonly string[]): StepResult {
  const headline = `The branch ${branch} has a newer commit than ${commit.slice(0, 12)}. See the run for the new commit.`;
  return emptyReview('superseded', headline, notes);
}
