import { promote as promoteFlow } from '../../flows/promote/promote.ts';
import { readStateBefore } from '../../flows/promote/state-before.ts';
import { describeMissingOverrides, reportOfPromotion } from '../../flows/promote/report.ts';
import type { Action } from '../kit/step/action.ts';
import { findDeployed, withDeployment } from '../kit/releases/deployment-record.ts';
import { orderGuard, warnOfOrder } from '../kit/releases/order-guard.ts';
import { openPlatform } from '../kit/inputs/platform-access.ts';
import { commonOutputs } from '../kit/inputs/platform-inputs.ts';
import { readRunSettings } from '../kit/checkout/read-run-settings.ts';
import { promoteInputs } from './inputs.ts';

/** Promotes a version from one environment to another. */
export const promote: Action<typeof promoteInputs.shape> = {
  name: 'promote',
  title: 'Promote',
  description: 'Promotes a published version from one environment to another, unless it is already there.',
  inputs: promoteInputs,
  outputs: {
    ...commonOutputs,
    version: 'The version name.',
    environment: 'The environment that the version was promoted to.',
    before: 'The version that was live there before; empty if there was none.',
    live: 'The version that is live there now; empty after a dry run.',
  },
  async run(inputs, step) {
    const { version, from, to } = inputs;
    const config = await readRunSettings(inputs['working-directory'], step);
    await using platform = openPlatform(inputs, config, step);
    const before = await readStateBefore({ version, from, to }, platform);
    step.log(
      `Promote ${version} from ${from} to ${to}, which has ${before.now ?? 'no enabled version'} now.`,
    );
    for (const note of describeMissingOverrides(before)) step.log(note);
    const request = {
      version,
      from,
      to,
      dryRun: inputs['dry-run'],
      guard: orderGuard(config, to, inputs, step),
    };
    const records = inputs.deployment && !inputs['dry-run'];
    const changes =
      records && (await promoteFlow({ ...request, dryRun: true }, platform)).outcome === 'passed';
    const deployed = changes
      ? await findDeployed({ environment: to, source: from, version, replaced: before.now }, platform, step)
      : undefined;
    const { result: promoted, notes: unrecorded } = await withDeployment(deployed, inputs, step, () =>
      promoteFlow(request, platform),
    );
    warnOfOrder(promoted, step);
    const { live } = promoted;
    return {
      report: reportOfPromotion(promoted, before, unrecorded),
      details: { ...promoted, before },
      outputs: {
        version,
        environment: to,
        before: before.now ?? '',
        live: inputs['dry-run'] ? '' : (live ?? ''),
      },
    };
  },
};
