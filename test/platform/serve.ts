import { startPlatform } from '../../platform/index.ts';

/** Entry of a child process that a test may kill: serves the state of a directory and says how to reach it. */
const [data = ':memory:'] = process.argv.slice(2);
const { baseUrl, projectId, tokens } = await startPlatform({ data });
process.stdout.write(`${JSON.stringify({ baseUrl, projectId, token: tokens.superAdmin })}\n`);
