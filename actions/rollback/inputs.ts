import { z } from 'zod';
import { flag, requiredText, text } from '../input-field.ts';
import { platformInputs } from '../platform-inputs.ts';

export const rollbackInputs = z.object({
  ...platformInputs,
  environment: requiredText('Environment to roll back.'),
  version: text(
    'The version that is to go. With it a re-run changes nothing; without it each run goes one version further back.',
  ),
  'dry-run': flag(false, 'Say what would be done, and do nothing.'),
});
