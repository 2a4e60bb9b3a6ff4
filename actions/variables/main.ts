import { applyVariables, diffVariables } from '../../flows/variables/apply-variables.ts';
import { variableLines } from '../../flows/variables/variable-lines.ts';
import { wantedVariables } from '../../flows/variables/wanted-variables.ts';
import { readTarget, type Target } from '../../lib/github/event-target.ts';
import { fetchCommit } from '../../lib/github/fetch-commit.ts';
import type { Action, StepResult } from '../kit/action.ts';
import { openPlatform, readSettings } from '../kit/platform-access.ts';
import { commonOutputs } from '../kit/platform-inputs.ts';
import { defaultConfig, openProject, readConfigAt } from '../kit/project.ts';
import type { Step } from '../kit/step.ts';
import { decideMode } from './decide-mode.ts';
import { variablesInputs } from './inputs.ts';
import { readFilesOfVariables } from './read-files.ts';
import { variablesReport } from './variables-report.ts';

/** Plans project variables from files on a pull request, and applies them on a push. */
export const variables: Action<typeof variablesInputs.shape> = {
  name: 'variables',
  title: 'Variables',
  description:
    'Brings project variables and their values in each environment to what files say: a plan on the pull request, applied on the push.',
  inputs: variablesInputs,
  outputs: {
    ...commonOutputs,
    mode: 'What was done: `plan` or `apply`.',
    add: 'Number of variables and values to add, or added.',
    change: 'Number of those to change, or changed.',
    delete: 'Number of those to delete, or deleted.',
    unmanaged: 'Number of those that are on the platform only and are left alone.',
    failed: 'Number of values that the platform did not take.',
  },
  async run(inputs, step) {
    const target = readTarget(step.facts);
    if (target === undefined) return nothing('nothing-to-do', 'The branch was deleted.');
    const { mode, notes } = decideMode(inputs.mode, target, step.facts);
    const { signal } = step.context;
    const project = await openProject(step, inputs['working-directory']);
    const commit = commitOf(target, step);
    await fetchCommit({ directory: project.path, commit, environment: step.environment, signal });
    const files = await readFilesOfVariables(inputs.files, project, commit, signal);
    const request = { files: files.map(({ read }) => read), prune: inputs.prune };
    if (target.withoutSecrets && readSettings(inputs, step.environment).credential === undefined) {
      // What the files say twice is wrong whatever the platform has.
      wantedVariables(request.files);
      const why = 'GitHub hands out no secrets to this pull request, so the platform was not asked.';
      return nothing('skipped-fork', `The files can be read. ${why}`);
    }
    const config = (await readConfigAt(project, commit)) ?? defaultConfig;
    await using platform = openPlatform(inputs, config, step);
    const sayPlan = (plan: Parameters<typeof variableLines>[0]) => {
      for (const line of variableLines(plan)) step.log(`Plan: ${line}`);
    };
    const report =
      mode === 'apply'
        ? await applyVariables(request, platform, sayPlan)
        : await diffVariables(request, platform);
    if (mode === 'plan') sayPlan(report);
    const changed = mode === 'plan' && inputs['exit-code'] && report.changes.length > 0;
    const outcome = changed ? 'failed' : report.outcome;
    return variablesReport(report, { outcome, files, notes: [...target.notes, ...notes] });
  },
};

/** Of a pull request what would be merged: its head alone would undo what has been merged since. */
function commitOf(target: Target, { facts }: Step): string {
  return facts.eventName === 'pull_request' ? facts.sha : target.commit;
}

function nothing(outcome: 'nothing-to-do' | 'skipped-fork', headline: string): StepResult {
  return {
    report: { title: 'Variables', outcome, headline, facts: [], findings: [], notes: [] },
    details: {},
    outputs: { mode: 'plan', add: 0, change: 0, delete: 0, unmanaged: 0, failed: 0 },
  };
}
