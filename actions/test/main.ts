import type { Action } from '../kit/step/action.ts';
import { commonOutputs } from '../kit/inputs/platform-inputs.ts';
import { requireEngine } from '../kit/checkout/require-engine.ts';
import { testInputs } from './inputs.ts';
import { readShard } from './read-shard.ts';

/** Runs the tests of pipelines, and shows every false expectation on its line. */
export const test: Action<typeof testInputs.shape> = {
  name: 'test',
  title: 'Test',
  description:
    'Runs the tests of pipelines on an embedded engine, and shows every false expectation on its line.',
  inputs: testInputs,
  outputs: {
    ...commonOutputs,
    tests: 'Number of tests.',
    passed: 'Number of tests that passed.',
    failed: 'Number of tests with a false expectation.',
    refused: 'Number of tests whose pipeline has a construct that the engine does not support.',
    findings:
      'Number of findings about columns that pipelines read and no pipeline writes; empty with `compile: off`.',
    noticed:
      'Percentage of the planted changes that a test notices, rounded down; empty without `mutate`, and if none was planted.',
    commit: 'The commit that was tested; empty if the check-out has no repository.',
    'junit-path': 'Path of the results as JUnit XML.',
    'blob-path': 'Path of the results of the shard, for the job that merges them; empty without `shard`.',
    'durations-path':
      'Path of the durations of all tests, for the input `durations` of later runs; empty with `shard`.',
    'snapshot-path':
      'Path of what the pipelines are and do, with the columns of tables, for the evidence that a later `publish` or `release` signs; empty with `compile: off`, with `shard`, and with uncommitted changes.',
    'coverage-path': 'Path of the coverage, in JSON; empty with `coverage: false` and with `shard`.',
  },
  async run(inputs, step) {
    const engine = requireEngine(inputs);
    const shard = readShard(inputs);
    // The engine is as large as all other actions together, so only actions that run pipelines load it.
    const { runProjectTests } = await import('./run-project-tests.ts');
    return await runProjectTests({ ...inputs, engine, shard }, step);
  },
};
