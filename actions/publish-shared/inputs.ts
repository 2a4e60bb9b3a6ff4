import { z } from 'zod';
import { choice, flag, optionalCount, text } from '../kit/input-field.ts';
import { platformInputs } from '../kit/platform-inputs.ts';

export const publishSharedInputs = z.object({
  ...platformInputs,
  version: text(
    'Version name. Else made from the pushed tag by `release.tag` and `release.version` in millrace.yaml.',
  ),
  prefix: text(
    'sharedPipelineIdPrefix, the group of the shared pipelines. Else `release.shared.prefix` in millrace.yaml.',
  ),
  'without-prefix': choice(['fail', 'skip'], 'fail', 'What to do where no prefix is given anywhere'),
  'keep-enabled': optionalCount(
    'Number of shared versions that stay enabled, the newest ones; older ones are disabled afterwards. Else all stay as they are.',
  ),
  'dry-run': flag(false, 'Do everything but send.'),
});
