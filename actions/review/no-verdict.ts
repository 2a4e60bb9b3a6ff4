import type { z } from 'zod';
import type { GitHubConnection } from '../../github/connection.ts';
import { deliverFailure } from '../../github/deliver-report.ts';
import type { Target } from '../../github/event-target.ts';
import { Failure } from '../../model/failure.ts';
import { failureResult } from '../failure-result.ts';
import { withoutSecrets } from '../redact-report.ts';
import type { Step } from '../step.ts';
import type { reviewInputs } from './inputs.ts';

/**
 * Where a review could not be made, the comment of the review before must not go on claiming its verdict. The failure
 * itself is reported by the step.
 */
export async function sayNoVerdict(
  error: unknown,
  about: {
    readonly inputs: z.output<typeof reviewInputs>;
    readonly target: Target;
    readonly connection: GitHubConnection | undefined;
    readonly key: string;
    readonly step: Step;
  },
): Promise<void> {
  const { inputs, target, connection, key, step } = about;
  const { pullRequest } = target;
  const silent = inputs.comment === 'off' || connection === undefined || pullRequest === undefined;
  if (silent || !(error instanceof Failure) || step.context.signal.aborted) return;
  const report = withoutSecrets(failureResult('Review', error).report, step.redact);
  for (const note of await deliverFailure(report, { connection, pullRequest, key }))
    step.log(`note: ${note}`);
}
