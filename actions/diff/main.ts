import type { Action } from '../kit/step/action.ts';
import { commonOutputs } from '../kit/inputs/platform-inputs.ts';
import { requireEngine } from '../kit/checkout/require-engine.ts';
import { diffInputs } from './inputs.ts';

/** Shows what a change of pipelines changes in the data, on the rows of the tests. */
export const diff: Action<typeof diffInputs.shape> = {
  name: 'diff',
  title: 'Data diff',
  description: 'Shows what a change of pipelines changes in the data, on the rows of the tests.',
  inputs: diffInputs,
  outputs: {
    ...commonOutputs,
    tests: 'Number of tests.',
    tables: 'Number of tables whose data changes.',
    added: 'Number of added rows, in all tests.',
    removed: 'Number of removed rows, in all tests.',
    changed: 'Number of changed rows, in all tests.',
    'not-compared': 'Number of tests that could not be compared, completely or in a table.',
    'entry-points':
      'Number of changed and affected pipelines that no pipeline of the project calls; empty with `affected: false` and without a base.',
    matrix:
      'The pipelines that `entry-points` counts, as `{"pipeline":[…]}`, for `fromJSON` in `strategy.matrix`; empty if longer than 10,000 characters.',
    'affected-tests':
      'The test files whose result the change may change, as a JSON list; also empty if it is longer than 10,000 characters.',
    base: 'The commit with which the project was compared; empty if there was none.',
    url: 'Address of the comment, if there is one.',
  },
  async run(inputs, step) {
    const engine = requireEngine(inputs);
    // The engine is as large as all other actions together, so only actions that run pipelines load it.
    const { diffProject } = await import('./diff-project.ts');
    return await diffProject({ ...inputs, engine }, step);
  },
};
