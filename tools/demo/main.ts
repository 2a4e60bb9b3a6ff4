import path from 'node:path';
import process from 'node:process';
import { describeFailure, Failure } from '../../lib/core/errors/failure.ts';
import { createNarrator } from './narrator.ts';
import { startDemoServers, workerToken } from './demo-servers.ts';
import { DemoFailure, type Demo } from './demo.ts';
import { summary } from './chapters/summary.ts';
import { dataDiff } from './chapters/data-diff.ts';
import { idempotency } from './chapters/idempotency.ts';
import { project } from './chapters/project.ts';
import { promotion } from './chapters/promotion.ts';
import { pullRequest } from './chapters/pull-request.ts';
import { releaseTag } from './chapters/release.ts';
import { rollBack } from './chapters/roll-back.ts';
import { streaming } from './chapters/streaming.ts';

const keep = process.argv.includes('--keep');
const cancel = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => cancel.abort());

const narrator = createNarrator((text) => void process.stdout.write(text), process.stdout.isTTY);
// Exit explicitly: an open connection must not keep the process alive.
process.exit(await main());

async function main(): Promise<number> {
  const startedAt = Date.now();
  try {
    await using servers = await startDemoServers({
      environment: process.env,
      unpacked: path.resolve(import.meta.dirname, '../../.millrace/redis'),
    });
    const demo: Demo = { servers, narrator, rows: [], signal: cancel.signal };
    const { workerUrl, projectId } = await runChapters(demo);
    narrator.say('');
    narrator.say(`All checks of the demo passed, in ${Math.round((Date.now() - startedAt) / 1000)} seconds.`);
    if (keep) await keepRunning(servers, workerUrl, projectId);
    return 0;
  } catch (error) {
    if (cancel.signal.aborted) return 130;
    if (error instanceof Failure) {
      process.stderr.write(`\nThe demo failed. ${describeFailure(error)}\n`);
      return error.exitCode;
    }
    const text =
      error instanceof DemoFailure ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`\nThe demo failed. ${text ?? ''}\n`);
    return 1;
  }
}

/** Keeps the servers running until Ctrl-C, and prints how to use them. */
async function keepRunning(
  { platform }: Demo['servers'],
  workerUrl: string,
  projectId: string,
): Promise<void> {
  const variables = {
    ...platform.environment(),
    MILLRACE_PROJECT_ID: projectId,
    MILLRACE_WORKER_URL: workerUrl,
    MILLRACE_WORKER_TOKEN: workerToken,
  };
  narrator.say('The servers keep running. The dashboard of the worker (sign in with MILLRACE_WORKER_TOKEN):');
  narrator.quote([`${workerUrl}/`]);
  narrator.say('In another shell:');
  narrator.quote(Object.entries(variables).map(([name, value]) => `export ${name}=${value}`));
  narrator.quote([
    'npm run -s millrace -- lanes',
    'npm run -s millrace -- promotions',
    'npm run -s millrace -- api artifacts.list',
  ]);
  narrator.say('Press Ctrl-C to stop the servers and delete their data.');
  const { promise, resolve } = Promise.withResolvers<void>();
  cancel.signal.addEventListener('abort', () => resolve());
  // Keep the process alive, even if no server has an open handle.
  const keepAlive = setInterval(() => {}, 60_000);
  await promise;
  clearInterval(keepAlive);
}

/** Runs all chapters of the demo. Returns the worker's address and the project id for `--keep`. */
async function runChapters(demo: Demo): Promise<{ readonly workerUrl: string; readonly projectId: string }> {
  const projectId = await project(demo);
  await pullRequest(demo, projectId);
  await dataDiff(demo, projectId);
  const first = await releaseTag(demo, 'v1.0.0');
  await streaming(demo, projectId);
  const { worker, delivery } = await promotion(demo, { projectId, tag: 'v1.0.0', commit: first });
  await idempotency(demo, { projectId, workerUrl: worker.url, delivery, tag: 'v1.0.0', commit: first });
  await rollBack(demo, { projectId, workerUrl: worker.url });
  await summary(demo, projectId);
  return { workerUrl: worker.url, projectId };
}
