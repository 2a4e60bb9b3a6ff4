import type { Row } from './fault-matrix.ts';

/** What a publication can end in; the platform's ledger says how often it really happened. */
const ends = {
  tag: [0, 'passed', 1],
  again: [0, 'already-done', 1],
  refused: [2, 'error', 0, 'request-invalid'],
  forbidden: [2, 'error', 0, 'forbidden'],
  // Whether it may still take effect is unknown: it is not sent again.
  broken: [4, 'indeterminate', 0, 'outcome-unknown'],
  silent: [4, 'indeterminate', 0, 'outcome-unknown'],
  garbage: [4, 'indeterminate', 0, 'outcome-unknown'],
  // Looked up, and found.
  lost: [0, 'passed', 1],
  'GitHub refuses': [0, 'passed', 1],
  fork: [2, 'error', 0, 'usage'],
  queue: [2, 'error', 0, 'usage'],
  cancelled: [130, 'cancelled', 0, 'cancelled', 'after it was sent; whether it took effect is unknown'],
} as const;
const { tag, again, refused, broken, lost, fork, queue, cancelled } = ends;
const ofRelease = {
  tag,
  again,
  refused,
  broken,
  lost,
  fork,
  queue,
  cancelled,
  'GitHub refuses': ends['GitHub refuses'],
};
const release = {
  action: 'actions/release',
  inputs: { deployment: 'true', to: 'test', pipeline: 'daily/load' },
  before: [],
} as const;

export const rowsOfPublications: readonly Row[] = [
  {
    name: 'publish',
    action: 'actions/publish',
    inputs: { deployment: 'true' },
    operation: 'artifacts.create',
    before: [],
    ends,
  },
  {
    name: 'publish-shared',
    action: 'actions/publish-shared',
    inputs: {},
    operation: 'sharedArtifacts.publish',
    before: [],
    ends: { ...ends, 'lost once': [0, 'passed', 1] },
  },
  // Its first step is the first step of publish: what ends it there is shown by a few.
  { name: 'release', ...release, operation: 'artifacts.create', ends: ofRelease },
  {
    name: 'release, at its promotion',
    ...release,
    operation: 'artifacts.promote',
    ends: { lost: [0, 'passed', 1] },
  },
  {
    // The outcome is the publication's, which went well; the exit code is the one of the step that failed.
    name: 'release, at its run',
    ...release,
    operation: 'executions.start',
    ends: { lost: [4, 'passed', 1, 'outcome-unknown'], broken: [4, 'passed', 0, 'outcome-unknown'] },
  },
];
