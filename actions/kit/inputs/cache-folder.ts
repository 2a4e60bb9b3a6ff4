import { text } from './input-field.ts';

/** The input `cache` of actions that run tests. */
export const cacheFolder = text(
  'Folder outside of the workspace for the results of tests that passed, such as one in `runner.temp`. With a step with `actions/cache` before this one, a test does not run again if nothing that it reads has changed. Default: every test runs.',
);
