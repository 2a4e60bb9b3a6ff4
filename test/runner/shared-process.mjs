import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { takeCoverage } from 'node:v8';

// Runs the scripts of actions, one after the other: `shared-process.ts` sends each, and gets what it writes and its exit code.
// Each is evaluated again, with the variables and the folder of its step; the bundle that it imports is read once.

const streams = ['stdout', 'stderr'];
const signals = ['SIGINT', 'SIGTERM'];
const reportsCoverage = process.env.NODE_V8_COVERAGE !== undefined;
let count = 0;

process.on('disconnect', () => process.exit());
for (const stream of streams) {
  process[stream].write = (chunk, ...more) => {
    process.send({ stream, text: typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString() });
    more.findLast((one) => typeof one === 'function')?.();
    return true;
  };
}

process.on('message', async ({ script, cwd, env }) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.exitCode = undefined;
  try {
    count += 1;
    await import(`${pathToFileURL(script).href}?${count}`);
  } catch (error) {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  }
  const exitCode = process.exitCode ?? 0;
  process.exitCode = undefined;
  for (const signal of signals) process.removeAllListeners(signal);
  process.chdir('/');
  // At its end, the test that measures does not read it any more.
  if (reportsCoverage) takeCoverage();
  process.send({ exitCode });
});
