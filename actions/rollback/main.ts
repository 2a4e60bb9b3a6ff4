import type { z } from 'zod';
import { rollBackShared } from '../../flows/rollback/roll-back-shared.ts';
import { rollback as rollbackFlow } from '../../flows/rollback/rollback.ts';
import { reportOfRollback } from '../../flows/rollback/report.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Action } from '../kit/step/action.ts';
import { findDeployed, withDeployment } from '../kit/releases/deployment-record.ts';
import { openPlatform } from '../kit/inputs/platform-access.ts';
import { commonOutputs } from '../kit/inputs/platform-inputs.ts';
import { readRunSettings } from '../kit/checkout/read-run-settings.ts';
import { rollbackInputs } from './inputs.ts';

/** Makes the previous version live, in an environment or for shared pipelines. */
export const rollback: Action<typeof rollbackInputs.shape> = {
  name: 'rollback',
  title: 'Rollback',
  description:
    'Disables the live version of an environment or of shared pipelines, so that the previous version is live again.',
  inputs: rollbackInputs,
  outputs: {
    ...commonOutputs,
    version: 'The version that is live now.',
    environment: 'The environment; empty with `shared`.',
    prefix: 'The prefix of the shared pipeline ids; empty without `shared`.',
    disabled: 'The version that was disabled.',
  },
  async run(inputs, step) {
    const { version, to, 'dry-run': dryRun } = inputs;
    const config = await readRunSettings(inputs['working-directory'], step);
    const target = targetOf(inputs, config.release.shared?.prefix);
    await using platform = openPlatform(inputs, config, step);
    const rollBack = async (dry: boolean) =>
      'environment' in target
        ? await rollbackFlow({ ...target, version, to, dryRun: dry }, platform)
        : await rollBackShared({ ...target, version, dryRun: dry }, platform);
    const planned =
      inputs.deployment && !dryRun && 'environment' in target ? await rollBack(true) : undefined;
    const deployed =
      planned?.outcome === 'passed' && 'environment' in target
        ? await findDeployed({ ...target, version: planned.live, replaced: planned.disabled }, platform, step)
        : undefined;
    const { result: rolled, notes } = await withDeployment(deployed, inputs, step, () => rollBack(dryRun));
    const { disabled, live } = rolled;
    return {
      report: reportOfRollback(rolled, notes),
      details: rolled,
      outputs: { version: live, environment: '', prefix: '', ...target, disabled },
    };
  },
};

type Inputs = z.output<typeof rollbackInputs>;

/** The target of the rollback. Throws Failure 'usage' if the inputs give no target, or two. */
function targetOf(
  { environment, shared, to, prefix: prefixInput }: Inputs,
  configured: string | undefined,
): { readonly environment: string } | { readonly prefix: string } {
  if (shared === (environment !== undefined)) {
    throw new Failure('usage', {
      message: shared
        ? 'The input environment cannot be combined with shared: true.'
        : 'Nothing to roll back is named: the input environment is empty, and shared is not true.',
      where: { input: 'environment' },
      hint: shared
        ? 'Remove the input environment to roll back the shared pipelines, or remove shared to roll back the environment.'
        : 'Set the input environment to the environment to roll back. To roll back shared pipelines, set the input shared to true.',
    });
  }
  if (shared && to !== undefined) {
    throw new Failure('usage', {
      message: 'The input to applies only to an environment, and this step rolls back shared pipelines.',
      where: { input: 'to' },
      hint: 'Remove the input to: shared pipelines go back one version with each run.',
    });
  }
  if (!shared && prefixInput !== undefined) {
    throw new Failure('usage', {
      message: 'The input prefix applies only to shared pipelines, and this step rolls back an environment.',
      where: { input: 'prefix' },
      hint: 'Set the input shared to true, or remove the input prefix.',
    });
  }
  if (environment !== undefined) return { environment };
  const prefix = prefixInput ?? configured;
  if (prefix !== undefined) return { prefix };
  throw new Failure('usage', {
    message: 'The prefix of the shared pipelines is missing.',
    where: { input: 'prefix' },
    hint: 'Set the input "prefix", or release.shared.prefix in millrace.yaml.',
  });
}
