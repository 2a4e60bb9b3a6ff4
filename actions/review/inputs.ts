import { z } from 'zod';
import { choice, duration, flag, lines, optionalChoice, secret, text } from '../kit/input-field.ts';
import { platformInputs } from '../kit/platform-inputs.ts';

export const reviewInputs = z.object({
  ...platformInputs,
  'agent-version': text(
    'Version of the runner, for the header Agent-Version. Else `review.agent-version` in millrace.yaml, else `MILLRACE_AGENT_VERSION`.',
  ),
  scope: optionalChoice(
    ['changed', 'all'],
    'Which pipelines are reviewed. Else `review.scope` in millrace.yaml',
  ),
  files: lines('Files to review, relative to the repository, one a line; in place of those that changed.'),
  'fail-on': optionalChoice(
    ['error', 'warning', 'notice', 'never'],
    'The mildest severity that fails the step. Else `review.fail-on` in millrace.yaml',
  ),
  timeout: duration('10m', 'How long the platform may take for the whole review.'),
  'policy-from': choice(
    ['base', 'head'],
    'base',
    'On a pull request and in the merge queue, the side whose millrace.yaml decides; with `base` a change cannot loosen its own gate',
  ),
  local: flag(
    false,
    'Evaluate the rules here and ask no platform. Pull requests from forks are always reviewed so.',
  ),
  check: choice(['auto', 'off'], 'auto', 'A check run with annotations, where `checks: write` allows it'),
  comment: choice(
    ['auto', 'off'],
    'auto',
    'One comment on the pull request, where `pull-requests: write` allows it',
  ),
  'github-token': secret('Token for GitHub’s API.', '${{ github.token }}'),
});
