import path from 'node:path';
import process from 'node:process';
import { describeFailure, Failure } from '../../lib/core/failure.ts';
import { createNarrator } from './narrator.ts';
import { createFlowEnvironment, workerToken } from './stage.ts';
import { BrokenPromise, type Plot } from './plot.ts';
import { tellStory } from './story.ts';

const keep = process.argv.includes('--keep');
const cancel = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => cancel.abort());

const tell = createNarrator((text) => void process.stdout.write(text), process.stdout.isTTY);
// A server that somebody else left open must not keep a story going that is over.
process.exit(await main());

async function main(): Promise<number> {
  const begun = Date.now();
  try {
    await using stage = await createFlowEnvironment({
      environment: process.env,
      unpacked: path.resolve(import.meta.dirname, '../../.millrace/redis'),
    });
    const plot: Plot = { stage, tell, rows: [], signal: cancel.signal };
    const { workerUrl, projectId } = await tellStory(plot);
    tell.say('');
    tell.say(`All of it held, in ${Math.round((Date.now() - begun) / 1000)} seconds.`);
    if (keep) await lookAround(stage, workerUrl, projectId);
    return 0;
  } catch (error) {
    if (cancel.signal.aborted) return 130;
    if (error instanceof Failure) {
      process.stderr.write(`\nThe demo broke off. ${describeFailure(error)}\n`);
      return error.exitCode;
    }
    const text =
      error instanceof BrokenPromise ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`\nThe demo broke off. ${text ?? ''}\n`);
    return 1;
  }
}

/** Leaves the servers up until Ctrl-C, and says how to look at them. */
async function lookAround({ platform }: Plot['stage'], workerUrl: string, projectId: string): Promise<void> {
  const variables = {
    ...platform.environment(),
    MILLRACE_PROJECT_ID: projectId,
    MILLRACE_WORKER_URL: workerUrl,
    MILLRACE_WORKER_TOKEN: workerToken,
  };
  tell.say('The servers stay up. The worker with its dashboard (it asks for MILLRACE_WORKER_TOKEN):');
  tell.quote([`${workerUrl}/`]);
  tell.say('In another shell:');
  tell.quote(Object.entries(variables).map(([name, value]) => `export ${name}=${value}`));
  tell.quote([
    'npm run -s millrace -- lanes',
    'npm run -s millrace -- runs',
    'npm run -s millrace -- api artifacts.list',
  ]);
  tell.say('Ctrl-C stops them and cleans up.');
  const { promise, resolve } = Promise.withResolvers<void>();
  cancel.signal.addEventListener('abort', () => resolve());
  // Nothing else keeps the process alive for sure.
  const alive = setInterval(() => {}, 60_000);
  await promise;
  clearInterval(alive);
}
