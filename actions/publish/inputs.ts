import { z } from 'zod';
import { evidenceInputs } from '../kit/releases/evidence-inputs.ts';
import { deploymentInputs } from '../kit/releases/deployment-record.ts';
import { flag, text } from '../kit/inputs/input-field.ts';
import { olderInputs } from '../kit/releases/order-guard.ts';
import { platformInputs } from '../kit/inputs/platform-inputs.ts';

export const publishInputs = z.object({
  ...platformInputs,
  version: text(
    'Version name. Default: derived from the pushed tag by `release.tag` and `release.version` in millrace.yaml.',
  ),
  environment: text('Environment to publish to. Default: `release.environment` in millrace.yaml.'),
  connectors: flag(true, 'Fetch the account’s connectors and add them to the artifact.'),
  'require-review': flag(
    false,
    'Review all pipelines of the commit on the platform first, and publish only if the review passes.',
  ),
  'review-branch': text(
    'Branch that contains the commit, for the review. Default: the pushed branch, then the default branch.',
  ),
  'agent-version': text(
    'Runner version for the review. Default: `review.agent-version` in millrace.yaml, then `MILLRACE_AGENT_VERSION`.',
  ),
  ...deploymentInputs,
  ...olderInputs,
  snapshot: text(
    'File with the snapshot of this commit, or folder with the files that the action `test` left at `snapshot-path`, relative to the workspace. It is signed with the evidence-key. Default: what the action `test` left in this job; otherwise a snapshot without columns.',
  ),
  ...evidenceInputs,
  'dry-run': flag(false, 'Do everything except sending.'),
});
