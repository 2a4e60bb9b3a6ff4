import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '../../..');

/** The source of a program that tests start: `cli/main`. */
export const sourceOf = (name: string): string => path.join(root, `${name}.ts`);

/** The file to start it from: the bundle that `npm test` has made, else the source. */
export function entryOf(name: string): string {
  const bundle = process.env['MILLRACE_TEST_BUNDLE'];
  return bundle === undefined ? sourceOf(name) : path.join(bundle, `${name}.js`);
}
