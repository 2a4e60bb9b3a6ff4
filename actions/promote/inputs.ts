import { z } from 'zod';
import { flag, requiredText } from '../kit/input-field.ts';
import { platformInputs } from '../kit/platform-inputs.ts';

export const promoteInputs = z.object({
  ...platformInputs,
  version: requiredText('Version to promote.'),
  from: requiredText('Environment that has the version.'),
  to: requiredText('Environment that is to get it.'),
  'dry-run': flag(false, 'Say what would be done, and do nothing.'),
});
