import { type Advance, type StepEnd, waitFor } from './advance.ts';

/** Reports what the promotion waits for, and ends the step until it is time to ask GitHub again. */
export async function waitForGitHub(advance: Advance, reason: string): Promise<{ readonly end: StepEnd }> {
  const text = `Waiting for GitHub: ${reason}`;
  await advance.save({ what: '', report: { state: 'pending', text } });
  return { end: waitFor(advance.ports.settings.unansweredMs) };
}
