import { z } from 'zod';
import { applyVariables, diffVariables } from '../../flows/variables/apply-variables.ts';
import { hideSecretValues } from '../../flows/variables/hide-secret-values.ts';
import { variableLines } from '../../flows/variables/variable-lines.ts';
import { wantedVariables } from '../../flows/variables/wanted-variables.ts';
import { readTarget, type Target } from '../../lib/github/workflow-run/event-target.ts';
import { fetchCommit } from '../../lib/github/workflow-run/fetch-commit.ts';
import type { Action, StepResult } from '../kit/step/action.ts';
import { openPlatform, readSettings } from '../kit/inputs/platform-access.ts';
import { commonOutputs } from '../kit/inputs/platform-inputs.ts';
import { openProject, settingsAt } from '../kit/checkout/project.ts';
import { reportKey } from '../kit/inputs/report-key.ts';
import type { Step } from '../kit/step/step.ts';
import { variablesInputs } from './inputs.ts';
import { readVariablesFiles } from './read-variables-files.ts';
import { variablesReport } from './variables-report.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { type Report, withoutSecrets } from '../../lib/report/report.ts';
import { reportMarkdown } from '../../lib/report/markdown.ts';
import { putStickyComment } from '../../lib/github/channels/sticky-comment.ts';
import { connectToGitHub } from '../kit/step/connect-to-github.ts';

/** Plans project variables from files on a pull request, and applies them on a push. */
export const variables: Action<typeof variablesInputs.shape> = {
  name: 'variables',
  title: 'Variables',
  description:
    'Sets project variables and their values per environment from files: a plan on the pull request, applied on the push.',
  inputs: variablesInputs,
  outputs: {
    ...commonOutputs,
    mode: 'The mode that was used: `plan` or `apply`.',
    add: 'Number of variables and values to add, or added.',
    change: 'Number of variables and values to change, or changed.',
    delete: 'Number of variables and values to delete, or deleted.',
    unmanaged: 'Number of variables and values that exist only on the platform, and were not changed.',
    failed: 'Number of values that the platform refused.',
    'comment-url': 'Address of the comment with the plan; empty if there is none.',
  },
  async run(inputs, step) {
    const target = readTarget(step.facts);
    if (target === undefined) return emptyResult('nothing-to-do', 'The branch was deleted.');
    const { mode, notes } = decideMode(inputs.mode, target, step.facts);
    const { signal } = step.context;
    const project = await openProject(step, inputs['working-directory']);
    const commit = commitOf(target, step);
    await fetchCommit({ directory: project.path, commit, environment: step.environment, signal });
    const files = await readVariablesFiles(inputs.files, project, commit, signal);
    const request = { files: files.map(({ read }) => read), prune: inputs.prune };
    if (target.withoutSecrets && readSettings(inputs, step.environment).credential === undefined) {
      // Contradictions between the files are errors even without the platform.
      wantedVariables(request.files);
      const reason = 'GitHub provides no secrets to this pull request, so the platform was not called.';
      return emptyResult('skipped-fork', `The files are valid. ${reason}`);
    }
    const config = await settingsAt(project, commit);
    await using platform = openPlatform(inputs, config, step);
    const logPlan = (plan: Parameters<typeof variableLines>[0]) => {
      for (const line of variableLines(hideSecretValues(plan))) step.log(`Plan: ${line}`);
    };
    const report = hideSecretValues(
      mode === 'apply'
        ? await applyVariables(request, platform, logPlan)
        : await diffVariables(request, platform),
    );
    if (mode === 'plan') logPlan(report);
    const changed = mode === 'plan' && inputs['exit-code'] && report.changes.length > 0;
    const outcome = changed ? 'failed' : report.outcome;
    const result = variablesReport(report, { outcome, files, notes: [...target.notes, ...notes] });
    const { pullRequest } = target;
    if (mode !== 'plan' || inputs.comment === 'off' || pullRequest === undefined) return result;
    const key = reportKey('variables', project.directory, { files: inputs.files, prune: inputs.prune });
    const place = { pullRequest, commit: target.commit, key, hasChanges: report.changes.length > 0 };
    const comment = await commentPlan(result.report, place, inputs['github-token'], step);
    return {
      ...result,
      report: { ...result.report, notes: [...result.report.notes, ...comment.notes] },
      outputs: { ...result.outputs, 'comment-url': comment.url },
    };
  },
};

/** The commit to read. On a pull request it is the merge commit: its head alone lacks what was merged to the base since. */
function commitOf(target: Target, { facts }: Step): string {
  return facts.eventName === 'pull_request' ? facts.sha : target.commit;
}

function emptyResult(outcome: 'nothing-to-do' | 'skipped-fork', headline: string): StepResult {
  return {
    report: { title: 'Variables', outcome, headline, facts: [], findings: [], notes: [] },
    details: {},
    outputs: { mode: 'plan', add: 0, change: 0, delete: 0, unmanaged: 0, failed: 0, 'comment-url': '' },
  };
}

const pushPayload = z.object({ repository: z.object({ default_branch: z.string() }) });

interface Decision {
  readonly mode: 'plan' | 'apply';
  /** Notes for the report. */
  readonly notes: readonly string[];
}

/**
 * Plan or apply. `auto` applies only on a push to the default branch, so that a push to another branch cannot change the
 * variables of all. Throws Failure 'usage' for `apply` on a pull request of a fork.
 */
function decideMode(
  mode: 'auto' | 'plan' | 'apply',
  target: Target,
  { eventName, payload }: { readonly eventName: string; readonly payload: unknown },
): Decision {
  if (mode === 'apply' && target.fork) {
    throw new Failure('usage', {
      message: 'A pull request of a fork cannot change variables.',
      where: { input: 'mode' },
      hint: 'Use mode: auto or mode: plan on pull requests.',
    });
  }
  if (mode !== 'auto') return { mode, notes: [] };
  if (eventName !== 'push') return { mode: 'plan', notes: [] };
  const push = pushPayload.safeParse(payload);
  const branch = push.success ? push.data.repository.default_branch : undefined;
  if (target.kind === 'branch' && target.branch === branch) return { mode: 'apply', notes: [] };
  return {
    mode: 'plan',
    notes: [
      `This push is not to the default branch${branch === undefined ? '' : `, ${branch}`}, so the changes are only planned. Use mode: apply to apply them.`,
    ],
  };
}

const [commentLimit, shortLimit] = [65_000, 8_000];

/**
 * Keeps one comment with the plan on the pull request. If there are no changes, an existing comment is updated, and
 * none is created. If GitHub refuses, a note says so.
 */
async function commentPlan(
  report: Report,
  {
    hasChanges,
    ...place
  }: {
    readonly pullRequest: number;
    readonly commit: string;
    readonly key: string;
    readonly hasChanges: boolean;
  },
  token: string | undefined,
  step: Step,
): Promise<{ readonly url: string; readonly notes: readonly string[] }> {
  try {
    const connection = await connectToGitHub(token, step);
    if (connection === undefined)
      return { url: '', notes: ['The comment was not written: the input github-token is empty.'] };
    const masked = withoutSecrets(report, step.redact);
    const { url = '', note } = await putStickyComment(connection, {
      ...place,
      body: reportMarkdown(masked, { limit: commentLimit }),
      shortBody: reportMarkdown(masked, { limit: shortLimit }),
      create: hasChanges,
    });
    return { url, notes: note === undefined ? [] : [note] };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { url: '', notes: [`The comment was not written. ${error.message} ${error.hint}`] };
  }
}
