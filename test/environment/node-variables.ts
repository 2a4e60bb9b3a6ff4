import process from 'node:process';
import { fileURLToPath } from 'node:url';

const compileCache = fileURLToPath(new URL('../../.millrace/compile-cache', import.meta.url));
const userCache = fileURLToPath(new URL('../../.millrace/cache', import.meta.url));

/**
 * Variables for the processes that tests start: they write nothing into the user's folder for caches, and keep compiled code, without
 * which each compiles all its code again. Under `npm run test:coverage` they report what ran instead, which is less exact for code from a cache.
 */
export function nodeVariables(): Readonly<Record<string, string>> {
  const coverage = process.env['NODE_V8_COVERAGE'];
  return coverage === undefined
    ? { NODE_COMPILE_CACHE: compileCache, XDG_CACHE_HOME: userCache }
    : { XDG_CACHE_HOME: userCache, NODE_V8_COVERAGE: coverage, NODE_DISABLE_COMPILE_CACHE: '1' };
}
