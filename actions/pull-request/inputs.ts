import { z } from 'zod';
import { secret, text } from '../kit/inputs/input-field.ts';
import { platformInputs } from '../kit/inputs/platform-inputs.ts';
import { reviewSettingInputs } from '../kit/inputs/review-settings.ts';

export const commentInputs = z.object({
  'working-directory': platformInputs['working-directory'],
  ...reviewSettingInputs,
  review: text('Output `report-path` of the step that reviewed.'),
  test: text('Output `report-path` of the step that tested.'),
  diff: text('Output `report-path` of the step that compared the data.'),
  // This step does not use them. It reads them to mask them in what it writes.
  token: platformInputs.token,
  'client-secret': platformInputs['client-secret'],
  'github-token': secret('Token for GitHub’s API.', '${{ github.token }}'),
});
