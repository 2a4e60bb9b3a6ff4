import { z } from 'zod';
import { deploymentInputs } from '../kit/releases/deployment-record.ts';
import { flag, text } from '../kit/inputs/input-field.ts';
import { platformInputs } from '../kit/inputs/platform-inputs.ts';

export const rollbackInputs = z.object({
  ...platformInputs,
  environment: text('Environment to roll back. Give either `environment` or `shared`.'),
  shared: flag(false, 'Roll back the shared pipelines of `prefix` instead, for all callers.'),
  prefix: text(
    'Prefix of the shared pipeline ids (`sharedPipelineIdPrefix`). Default: `release.shared.prefix` in millrace.yaml.',
  ),
  version: text(
    'Version to disable. With it, a re-run changes nothing more. Without it, each run goes back one version.',
  ),
  to: text(
    'Earlier enabled version to go back to; the versions between are disabled too. Default: the newest earlier one.',
  ),
  ...deploymentInputs,
  'dry-run': flag(false, 'Only show what would happen.'),
});
