import { z } from 'zod';
import { choice, duration, flag, lines, optionalChoice, secret, text } from '../kit/input-field.ts';
import { platformInputs } from '../kit/platform-inputs.ts';

export const reviewInputs = z.object({
  ...platformInputs,
  'agent-version': text(
    'Runner version, sent in the header Agent-Version. Default: `review.agent-version` in millrace.yaml, then `MILLRACE_AGENT_VERSION`.',
  ),
  scope: optionalChoice(
    ['changed', 'all'],
    'Which pipelines to review. Default: `review.scope` in millrace.yaml',
  ),
  files: lines('Files to review instead of the changed files, relative to the repository, one per line.'),
  'fail-on': optionalChoice(
    ['error', 'warning', 'notice', 'never'],
    'Lowest severity that fails the step. Default: `review.fail-on` in millrace.yaml',
  ),
  'new-only': flag(
    false,
    'Count only problems that the base does not have, without a committed baseline. The action reviews the merge base with its own settings and rules.',
  ),
  timeout: duration('10m', 'Time limit for the platform’s part of the review.'),
  'policy-from': choice(
    ['base', 'head'],
    'base',
    'Which millrace.yaml applies on a pull request and in the merge queue. With `base`, a change cannot loosen its own gate',
  ),
  local: flag(
    false,
    'Evaluate the rules in the action, without the platform. This is always so for pull requests from forks.',
  ),
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
});
