import { registerHooks } from 'node:module';
import process from 'node:process';

// Vitest loads this file before each test file. Its own hook tells its main process of every import, for a run that watches
// files, and Node then looks for the file, its real path and its package. For an import of ours all this is known: its
// address is relative, in full, and to TypeScript. In every process of the tests these are some thousand imports.

/** Set once in each process: test files can share one. */
const isSetUp = Symbol.for('millrace.resolveOwnModules');
const here = globalThis as { [isSetUp]?: true };
const root = new URL('../../../', import.meta.url).href;

if (here[isSetUp] !== true && process.env['VITEST_MODE'] !== 'WATCH') {
  here[isSetUp] = true;
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context;
      const isOwn =
        /^\.\.?\/.*\.ts$/u.test(specifier) &&
        parentURL.startsWith(root) &&
        !parentURL.includes('/node_modules/');
      if (!isOwn) return next(specifier, context);
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
    },
  });
}
