import type { z } from 'zod';
import { deliverFailure } from '../../lib/github/deliver-report.ts';
import type { Target } from '../../lib/github/event-target.ts';
import { Failure } from '../../lib/core/failure.ts';
import { connectToGitHub } from '../kit/connect-to-github.ts';
import { failureResult } from '../kit/failure-result.ts';
import { withoutSecrets } from '../kit/redact-report.ts';
import type { Step } from '../kit/step.ts';
import type { reviewInputs } from './inputs.ts';

/**
 * Reports on GitHub that a review failed: a failed check run, because branch protection may require one, and an update of
 * the comment, which would otherwise still show the previous verdict. The step itself reports the failure. A cancel is not
 * reported.
 */
export async function reportFailedReview(
  error: unknown,
  about: {
    readonly inputs: z.output<typeof reviewInputs>;
    readonly target: Target;
    readonly key: string;
    readonly step: Step;
  },
): Promise<void> {
  const { inputs, target, key, step } = about;
  if (step.context.signal.aborted) return;
  const failure = error instanceof Failure ? error : new Failure('internal', { message: 'Internal error.' });
  const report = withoutSecrets(failureResult('Review', failure).report, step.redact);
  try {
    const connection = await connectToGitHub(inputs['github-token'], step);
    if (connection === undefined) return;
    const notes = await deliverFailure(report, {
      connection,
      commit: target.commit,
      pullRequest: target.pullRequest,
      key,
      check: inputs.check,
      comment: inputs.comment,
    });
    for (const note of notes) step.log(`note: ${note}`);
  } catch (fault) {
    // An error of the report must not hide the failure of the review.
    step.log(`note: Cannot report to GitHub: ${fault instanceof Error ? fault.message : String(fault)}`);
  }
}
