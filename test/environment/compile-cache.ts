import { fileURLToPath } from 'node:url';

/** For `NODE_COMPILE_CACHE` of the processes that tests start: without it each compiles all its code again. */
export const compileCache = fileURLToPath(new URL('../../.millrace/compile-cache', import.meta.url));
