import type { Row } from './fault-matrix.ts';

const refusals = {
  refused: [2, 'error', 0, 'request-invalid'],
  forbidden: [2, 'error', 0, 'forbidden'],
  fork: [2, 'error', 0, 'no-token'],
  cancelled: [130, 'cancelled', 0],
} as const;
/** Whether it may still take effect is unknown; it is not sent again. */
const unknown = {
  broken: [4, 'indeterminate', 0, 'outcome-unknown'],
  silent: [4, 'indeterminate', 0, 'outcome-unknown'],
  garbage: [4, 'indeterminate', 0, 'outcome-unknown'],
} as const;
/** Done a second time it would be the same, so it is tried again; what stays is a failure like any other. */
const failed = {
  broken: [3, 'error', 0, 'platform-failed'],
  silent: [3, 'error', 0, 'no-answer'],
  garbage: [3, 'error', 0, 'answer-unreadable'],
} as const;
const done = {
  tag: [0, 'passed', 1],
  queue: [0, 'passed', 1],
  'GitHub refuses': [0, 'passed', 1],
} as const;

export const rowsInEnvironments: readonly Row[] = [
  {
    name: 'promote',
    action: 'actions/promote',
    inputs: { version: 'v1.0.0', from: 'dev', to: 'test' },
    operation: 'artifacts.promote',
    before: ['v1.0.0'],
    ends: {
      ...done,
      ...refusals,
      ...unknown,
      again: [0, 'already-done', 1],
      lost: [0, 'passed', 1],
      cancelled: [130, 'cancelled', 0, 'cancelled', 'after it was sent; whether it took effect is unknown'],
    },
  },
  {
    name: 'run',
    action: 'actions/run',
    inputs: { pipeline: 'daily/load', environment: 'dev' },
    operation: 'executions.start',
    before: ['v1.0.0'],
    ends: {
      ...done,
      ...refusals,
      ...unknown,
      // A start without an answer within the grace period: the execution may run.
      cancelled: [4, 'indeterminate', 0, 'outcome-unknown'],
      // Each step is a run of its own; what must not happen is that one step makes two.
      again: [0, 'passed', 2],
      lost: [4, 'indeterminate', 1, 'outcome-unknown'],
    },
  },
  {
    name: 'rollback',
    action: 'actions/rollback',
    inputs: { environment: 'dev', version: 'v1.0.0' },
    operation: 'artifacts.setEnabled',
    before: ['v0.9.0', 'v1.0.0'],
    ends: {
      ...done,
      ...refusals,
      ...failed,
      again: [0, 'already-done', 1],
      lost: [3, 'error', 1, 'no-answer'],
      'lost once': [0, 'passed', 1],
    },
  },
  {
    name: 'drift',
    action: 'actions/drift',
    inputs: { 'fail-on': 'unknown' },
    operation: 'artifacts.list',
    before: ['v1.0.0'],
    ends: {
      ...refusals,
      ...failed,
      tag: [0, 'passed', 0],
      again: [0, 'passed', 0],
      queue: [0, 'passed', 0],
      'GitHub refuses': [0, 'passed', 0],
      lost: [3, 'error', 0, 'no-answer'],
      'lost once': [0, 'passed', 0],
    },
  },
  {
    name: 'variables',
    action: 'actions/variables',
    inputs: { files: 'variables.yaml', mode: 'apply' },
    operation: 'variables.create',
    before: [],
    ends: {
      ...done,
      ...unknown,
      again: [0, 'nothing-to-do', 1],
      // The list shows that it was created after all.
      lost: [0, 'passed', 1],
      // Last: what was cancelled may still come about on the platform of the next cell.
      ...refusals,
      cancelled: [130, 'cancelled', 0, 'cancelled', 'after it was sent; whether it took effect is unknown'],
      // A refusal of the platform is shown at the line of the file that it is about.
      refused: [2, 'error', 0, 'config-invalid'],
      fork: [2, 'error', 0, 'usage', 'A pull request of a fork cannot change variables.'],
    },
  },
];
