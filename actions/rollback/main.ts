import { rollback as rollbackFlow } from '../../flows/index.ts';
import type { Action } from '../action.ts';
import { openPlatform } from '../platform-access.ts';
import { commonOutputs } from '../platform-inputs.ts';
import { settingsOfRun } from '../settings-of-run.ts';
import { rollbackInputs } from './inputs.ts';

/** Makes the version before the live one. */
export const rollback: Action<typeof rollbackInputs.shape> = {
  name: 'rollback',
  title: 'Rollback',
  description: 'Disables the live version of an environment, so that the one before is used again.',
  inputs: rollbackInputs,
  outputs: {
    ...commonOutputs,
    version: 'The version that is live now.',
    environment: 'The environment.',
    disabled: 'The version that was disabled.',
  },
  async run(inputs, step) {
    const { environment, version } = inputs;
    const dryRun = inputs['dry-run'];
    const config = await settingsOfRun(inputs['working-directory'], step);
    await using platform = openPlatform(inputs, config, step);
    const rolled = await rollbackFlow({ environment, version, dryRun }, platform);
    const { disabled, live, outcome } = rolled;
    const done = `${dryRun ? 'Would disable' : 'Disabled'} ${disabled} in ${environment}; ${live} is live.`;
    return {
      report: {
        title: 'Rollback',
        outcome,
        headline:
          outcome === 'already-done'
            ? `${disabled} is disabled already; ${live} is live in ${environment}.`
            : done,
        facts: [
          ['environment', environment],
          ['disabled', disabled],
          ['live', live],
        ],
        findings: [],
        notes: [],
      },
      details: rolled,
      outputs: { version: live, environment, disabled },
    };
  },
};
