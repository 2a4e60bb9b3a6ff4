import type { StepResult } from '../kit/step/action.ts';

/** The result for a branch that was deleted. */
export const nothingToTest: StepResult = {
  report: {
    title: 'Test',
    outcome: 'nothing-to-do',
    headline: 'The branch was deleted.',
    facts: [],
    findings: [],
    notes: [],
  },
  details: {},
  outputs: {
    tests: 0,
    passed: 0,
    failed: 0,
    refused: 0,
    findings: 0,
    noticed: '',
    commit: '',
    'junit-path': '',
    'blob-path': '',
    'durations-path': '',
    'snapshot-path': '',
    'coverage-path': '',
  },
};
