import { z } from 'zod';
import { deploymentInputs } from '../kit/releases/deployment-record.ts';
import { flag, requiredText } from '../kit/inputs/input-field.ts';
import { olderInputs } from '../kit/releases/order-guard.ts';
import { platformInputs } from '../kit/inputs/platform-inputs.ts';

export const promoteInputs = z.object({
  ...platformInputs,
  version: requiredText('Version to promote.'),
  from: requiredText('Environment to promote from.'),
  to: requiredText('Environment to promote to.'),
  ...deploymentInputs,
  ...olderInputs,
  'dry-run': flag(false, 'Only show what would happen.'),
});
