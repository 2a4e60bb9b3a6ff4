import { z } from 'zod';
import { evidenceInputs } from '../kit/releases/evidence-inputs.ts';
import { choice, duration, secret } from '../kit/inputs/input-field.ts';
import { namedCommit } from '../kit/inputs/named-commit.ts';
import { platformInputs } from '../kit/inputs/platform-inputs.ts';
import { reviewSettingInputs } from '../kit/inputs/review-settings.ts';

export const reviewInputs = z.object({
  ...platformInputs,
  'agent-version': reviewSettingInputs['agent-version'],
  scope: reviewSettingInputs.scope,
  files: reviewSettingInputs.files,
  commit: namedCommit('review'),
  base: reviewSettingInputs.base,
  'fail-on': reviewSettingInputs['fail-on'],
  'new-only': reviewSettingInputs['new-only'],
  timeout: duration('10m', 'Time limit for the platform’s part of the review.'),
  'policy-from': reviewSettingInputs['policy-from'],
  local: reviewSettingInputs.local,
  check: choice(
    ['auto', 'off'],
    'auto',
    'Create a check run with annotations, if the token has `checks: write`',
  ),
  comment: choice(
    ['auto', 'off'],
    'auto',
    'Keep one comment on the pull request, if the token has `pull-requests: write`',
  ),
  'github-token': secret('Token for GitHub’s API.', '${{ github.token }}'),
  ...evidenceInputs,
});
