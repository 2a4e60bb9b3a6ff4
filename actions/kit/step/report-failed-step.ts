import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { type Channel, deliverFailure } from '../../../lib/github/channels/deliver-report.ts';
import type { Target } from '../../../lib/github/workflow-run/event-target.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { connectToGitHub } from './connect-to-github.ts';
import { failureResult } from './failure-result.ts';
import type { Step } from './step.ts';

/** A failed step: where it reports to, and how. */
export interface FailedStep {
  /** The title of the step's reports. */
  readonly title: string;
  readonly token: string | undefined;
  readonly check: Channel;
  readonly comment: Channel;
  readonly target: Target;
  /** The key of the step's check run and comment. */
  readonly key: string;
  readonly step: Step;
}

/**
 * Shows on GitHub that a step failed: with a failed check run, because branch protection may require one, and by
 * updating the comment, which would otherwise still show the previous verdict. The step itself reports the failure
 * in its log. A cancelled step reports nothing.
 */
export async function reportFailedStep(error: unknown, failed: FailedStep): Promise<void> {
  const { title, token, check, comment, target, key, step } = failed;
  if (step.context.signal.aborted) return;
  const failure = error instanceof Failure ? error : new Failure('internal', { message: 'Internal error.' });
  const { report } = failureResult(title, failure);
  try {
    const connection = await connectToGitHub(token, step);
    if (connection === undefined) return;
    const { commit, pullRequest } = target;
    const { redact } = step;
    const about = { connection, commit, pullRequest, key, check, comment, redact };
    const notes = await deliverFailure(report, about);
    for (const note of notes) step.log(`note: ${note}`);
  } catch (fault) {
    // An error of the report must not hide the failure of the step.
    step.log(`note: Cannot report to GitHub: ${messageOf(fault)}`);
  }
}
