import { promote as promoteFlow } from '../../flows/index.ts';
import type { Action } from '../action.ts';
import { openPlatform } from '../platform-access.ts';
import { commonOutputs } from '../platform-inputs.ts';
import { settingsOfRun } from '../settings-of-run.ts';
import { promoteInputs } from './inputs.ts';

/** Promotes a version from one environment to another. */
export const promote: Action<typeof promoteInputs.shape> = {
  name: 'promote',
  title: 'Promote',
  description:
    'Promotes a published version from one environment to another; a version that is there already is left alone.',
  inputs: promoteInputs,
  outputs: {
    ...commonOutputs,
    version: 'The version name.',
    environment: 'The environment that has it now.',
  },
  async run(inputs, step) {
    const { version, from, to } = inputs;
    const config = await settingsOfRun(inputs['working-directory'], step);
    await using platform = openPlatform(inputs, config, step);
    const promoted = await promoteFlow({ version, from, to, dryRun: inputs['dry-run'] }, platform);
    const what = `${version} from ${from} to ${to}`;
    return {
      report: {
        title: 'Promote',
        outcome: promoted.outcome,
        headline: inputs['dry-run']
          ? `Would promote ${what}.`
          : promoted.outcome === 'already-done'
            ? `${to} has ${version} already.`
            : `Promoted ${what}.`,
        facts: [
          ['version', version],
          ['from', from],
          ['to', to],
        ],
        findings: [],
        notes: [],
      },
      details: promoted,
      outputs: { version, environment: to },
    };
  },
};
