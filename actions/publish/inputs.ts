import { z } from 'zod';
import { flag, text } from '../input-field.ts';
import { platformInputs } from '../platform-inputs.ts';

export const publishInputs = z.object({
  ...platformInputs,
  version: text(
    'Version name. Else made from the pushed tag by `release.tag` and `release.version` in millrace.yaml.',
  ),
  environment: text('Environment to publish to. Else `release.environment` in millrace.yaml.'),
  connectors: flag(true, 'Fetch the account’s connectors and add them to the artifact.'),
  'dry-run': flag(false, 'Do everything but send.'),
});
