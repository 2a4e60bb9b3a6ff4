import type { Target } from '../../lib/github/event-target.ts';
import type { Report } from '../../lib/github/report.ts';
import type { StepResult } from '../kit/action.ts';

function emptyReview(outcome: Report['outcome'], headline: string, notes: readonly string[]): StepResult {
  return {
    report: { title: 'Review', outcome, headline, facts: [], findings: [], notes },
    details: {},
    outputs: { errors: 0, warnings: 0, notices: 0, reviewed: 0, commit: '', url: '' },
  };
}

/** The result if there is nothing to review. */
export function nothingToReview(headline: string): StepResult {
  return emptyReview('nothing-to-do', headline, []);
}

/** The result if the branch has a newer commit than the one of this workflow run. */
export function superseded({ branch, commit }: Target, notes: readonly string[]): StepResult {
  const headline = `The branch ${branch} has a newer commit than ${commit.slice(0, 12)}. See the run for the new commit.`;
  return emptyReview('superseded', headline, notes);
}
