import { flushCompileCache } from 'node:module';
import { type Seed, startPlatform } from '../../platform/index.ts';

/** Entry of a child process that a test may kill: serves the state of a directory, which
 * a seed may begin, and says how to reach it. */
const [data = ':memory:', seed] = process.argv.slice(2);
const { baseUrl, projectId, tokens } = await startPlatform({
  data,
  ...(seed !== undefined && { seed: JSON.parse(seed) as Seed }),
});
process.stdout.write(`${JSON.stringify({ baseUrl, projectId, token: tokens.superAdmin })}\n`);
// A test kills this process, and Node keeps compiled code only at an orderly end.
flushCompileCache();
