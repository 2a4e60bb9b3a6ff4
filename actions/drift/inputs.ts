import { z } from 'zod';
import { choice, lines } from '../kit/inputs/input-field.ts';
import { platformInputs } from '../kit/inputs/platform-inputs.ts';

export const driftInputs = z.object({
  ...platformInputs,
  environments: lines(
    'Environments to compare, one per line. Default: `environments` in millrace.yaml, then all of the project.',
  ),
  'fail-on': choice(
    ['unknown', 'behind', 'never'],
    'unknown',
    'When the step fails: `unknown` for enabled versions without a tag, `behind` also for live versions older than the newest tag',
  ),
});
