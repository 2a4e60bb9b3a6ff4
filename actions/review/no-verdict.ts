import type { z } from 'zod';
import { deliverFailure } from '../../lib/github/deliver-report.ts';
import type { Target } from '../../lib/github/event-target.ts';
import { Failure } from '../../lib/core/failure.ts';
import { connectTo } from '../kit/connect.ts';
import { failureResult } from '../kit/failure-result.ts';
import { withoutSecrets } from '../kit/redact-report.ts';
import type { Step } from '../kit/step.ts';
import type { reviewInputs } from './inputs.ts';

/**
 * Where a review could not be made, there is a check run that says so, as somebody may require one, and the comment of
 * the review before does not go on claiming its verdict. The failure itself is reported by the step; a cancel is none.
 */
export async function sayNoVerdict(
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
  const failure =
    error instanceof Failure ? error : new Failure('internal', { message: 'A fault in Millrace.' });
  const report = withoutSecrets(failureResult('Review', failure).report, step.redact);
  try {
    const connection = await connectTo(inputs['github-token'], step);
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
    // Whatever is wrong with the report, the failure of the review is what counts.
    step.log(`note: GitHub was not told: ${fault instanceof Error ? fault.message : String(fault)}`);
  }
}
