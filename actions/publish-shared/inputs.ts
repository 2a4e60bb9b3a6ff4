import { z } from 'zod';
import { choice, flag, optionalCount, text } from '../kit/inputs/input-field.ts';
import { olderInputs } from '../kit/releases/order-guard.ts';
import { platformInputs } from '../kit/inputs/platform-inputs.ts';

export const publishSharedInputs = z.object({
  ...platformInputs,
  version: text(
    'Version name. Default: derived from the pushed tag by `release.tag` and `release.version` in millrace.yaml.',
  ),
  prefix: text(
    'Prefix of the shared pipeline ids (`sharedPipelineIdPrefix`). Default: `release.shared.prefix` in millrace.yaml.',
  ),
  'without-prefix': choice(['fail', 'skip'], 'fail', 'What to do without a prefix'),
  'keep-enabled': optionalCount(
    'Number of newest versions that stay enabled. Older versions are disabled after publishing. Default: disable none.',
  ),
  ...olderInputs,
  'dry-run': flag(false, 'Do everything except sending.'),
});
