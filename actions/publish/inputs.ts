import { z } from 'zod';
import { flag, secret, text } from '../kit/input-field.ts';
import { platformInputs } from '../kit/platform-inputs.ts';

export const publishInputs = z.object({
  ...platformInputs,
  version: text(
    'Version name. Else made from the pushed tag by `release.tag` and `release.version` in millrace.yaml.',
  ),
  environment: text('Environment to publish to. Else `release.environment` in millrace.yaml.'),
  connectors: flag(true, 'Fetch the account’s connectors and add them to the artifact.'),
  'require-review': flag(
    false,
    'Have the platform review all pipelines of the commit first, and publish only what passes. No check of somebody else is trusted.',
  ),
  'review-branch': text(
    'Branch that holds the commit, for that review. Else the branch that was pushed, else the default branch.',
  ),
  'agent-version': text(
    'Version of the runner, for that review. Else `review.agent-version` in millrace.yaml, else `MILLRACE_AGENT_VERSION`.',
  ),
  deployment: flag(
    false,
    'Record a deployment of that environment on GitHub; the job needs `deployments: write`.',
  ),
  'github-token': secret('Token for GitHub’s API, for the deployment.', '${{ github.token }}'),
  'dry-run': flag(false, 'Do everything but send.'),
});
