import { z } from 'zod';
import { choice, lines } from '../kit/input-field.ts';
import { platformInputs } from '../kit/platform-inputs.ts';

export const driftInputs = z.object({
  ...platformInputs,
  environments: lines(
    'Environments to look at, one a line. Else `environments` in millrace.yaml, else all of the project.',
  ),
  'fail-on': choice(
    ['unknown', 'behind', 'never'],
    'unknown',
    'What fails the step: enabled versions that no tag stands for, or live versions behind the newest tag as well',
  ),
});
