import path from 'node:path';
import process from 'node:process';

/**
 * For `NODE_COMPILE_CACHE` of the processes that tests start: without it each compiles all its code again. A bundle of one run
 * has a cache for this run, so that the other one does not grow.
 */
export const compileCache = path.join(
  process.env['MILLRACE_TEST_BUNDLE'] ?? path.resolve(import.meta.dirname, '../../.millrace'),
  'compile-cache',
);
