import { text } from './input-field.ts';

/** The input of actions that run tests. */
export const cacheFolder = text(
  'Folder outside of the workspace where results of tests that passed are kept, such as one in `runner.temp`, for a step with `actions/cache` before this one: a test that reads the same does not run again. Default: every test runs.',
);
