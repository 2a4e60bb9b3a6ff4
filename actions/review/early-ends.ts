import type { Target } from '../../lib/github/event-target.ts';
import type { Report } from '../../lib/github/report.ts';
import type { StepResult } from '../kit/action.ts';

function end(outcome: Report['outcome'], headline: string, notes: readonly string[]): StepResult {
  return {
    report: { title: 'Review', outcome, headline, facts: [], findings: [], notes },
    details: {},
    outputs: { errors: 0, warnings: 0, notices: 0, reviewed: 0, commit: '', url: '' },
  };
}

/** There is nothing to review. */
export function nothingToReview(headline: string): StepResult {
  return end('nothing-to-do', headline, []);
}

/** Another commit has taken the place of the one that this run is about. */
export function superseded({ branch, commit }: Target, notes: readonly string[]): StepResult {
  const headline = `The branch ${branch} has moved on from ${commit.slice(0, 12)}; the run of its new head answers.`;
  return end('superseded', headline, notes);
}
