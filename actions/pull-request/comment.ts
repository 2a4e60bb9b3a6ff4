import { deliverParts } from '../../lib/github/channels/deliver-report.ts';
import { readTarget } from '../../lib/github/workflow-run/event-target.ts';
import type { Report } from '../../lib/report/report.ts';
import type { Action, StepResult } from '../kit/step/action.ts';
import { connectToGitHub } from '../kit/step/connect-to-github.ts';
import { commonOutputs } from '../kit/inputs/platform-inputs.ts';
import { openProject } from '../kit/checkout/project.ts';
import { reportKey } from '../kit/inputs/report-key.ts';
import { reviewSettings } from '../kit/inputs/review-settings.ts';
import { commentInputs } from './inputs.ts';
import { affectedPartName } from '../kit/step/finish-step.ts';
import { readPart } from './read-part.ts';

/** Keeps one comment on a pull request with what earlier steps found. */
export const comment: Action<typeof commentInputs.shape> = {
  name: 'comment',
  title: 'Comment',
  description: 'Keeps one comment on a pull request with what earlier steps found.',
  inputs: commentInputs,
  outputs: { ...commonOutputs, url: 'Address of the comment, if there is one.' },
  async run(inputs, step) {
    const target = readTarget(step.facts);
    const pullRequest = target?.pullRequest;
    if (target === undefined || pullRequest === undefined)
      return ended('The event does not belong to a pull request.');
    const connection = await connectToGitHub(inputs['github-token'], step);
    if (connection === undefined) return ended('There is no token for GitHub.');
    const parts = await Promise.all(
      [
        { label: 'Review', path: inputs.review },
        { label: 'Tests', path: inputs.test },
        { label: 'Data', path: inputs.diff },
      ].map(async ({ label, path }) => ({ label, report: withoutCauses(await readPart(path)) })),
    );
    const affected = (await readPart(inputs.diff, affectedPartName)) ?? unknownIfFailed(parts.at(-1)?.report);
    if (affected !== undefined) parts.push({ label: 'Affected', report: affected });
    // The run for the newer commit writes the comment.
    if (parts.some(({ report }) => report?.outcome === 'superseded'))
      return ended('The branch has a newer commit, whose run writes the comment.');
    const { directory } = await openProject(step, inputs['working-directory']);
    const { notes, url } = await deliverParts(parts, {
      connection,
      serverUrl: step.facts.serverUrl,
      commit: target.commit,
      pullRequest,
      key: reportKey('pull request', directory, reviewSettings(inputs)),
      redact: step.redact,
    });
    return ended(url === undefined ? 'There is no comment.' : `The comment is at ${url}.`, { notes, url });
  },
};

/** What is affected if the step that knows it has failed, without the engine for example. Without a base, there is nothing to say. */
function unknownIfFailed(data: Report | undefined): Report | undefined {
  if (data !== undefined && data.outcome !== 'error') return undefined;
  const headline =
    'It is not known what the change affects, because the step that compares the data has no result.';
  return { title: 'Affected', outcome: 'nothing-to-do', headline, facts: [], findings: [], notes: [] };
}

/** Without the findings on the lines of components: the findings of the expectations name the components. */
function withoutCauses(report: Report | undefined): Report | undefined {
  return (
    report && {
      ...report,
      findings: report.findings.filter(({ rule }) => rule !== 'millrace/test-component'),
    }
  );
}

/** Without a job summary of this step, because earlier steps have written what it reports. */
function ended(
  headline: string,
  { notes = [], url = '' }: { readonly notes?: readonly string[]; readonly url?: string | undefined } = {},
): StepResult {
  const outcome = url === '' ? 'nothing-to-do' : 'passed';
  return {
    report: { title: 'Comment', outcome, headline, facts: [], findings: [], notes },
    delivery: { summary: '', notes, checkUrl: undefined, commentUrl: url },
    details: {},
    outputs: { url },
  };
}
