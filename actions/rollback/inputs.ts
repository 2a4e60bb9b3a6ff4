import { z } from 'zod';
import { flag, text } from '../kit/input-field.ts';
import { platformInputs } from '../kit/platform-inputs.ts';

export const rollbackInputs = z.object({
  ...platformInputs,
  environment: text('Environment to roll back. Give either this or `shared`.'),
  shared: flag(false, 'Roll the shared pipelines of `prefix` back instead, for all who call them.'),
  prefix: text(
    'sharedPipelineIdPrefix, the group of the shared pipelines. Else `release.shared.prefix` in millrace.yaml.',
  ),
  version: text(
    'The version that is to go. With it a re-run changes nothing; without it each run goes one version further back.',
  ),
  'dry-run': flag(false, 'Say what would be done, and do nothing.'),
});
