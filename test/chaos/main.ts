import path from 'node:path';
import { parseArgs } from 'node:util';
import { circumstancesNow, updateReliabilityPage, writeReliabilityPage } from './reliability-page.ts';
import { runTrials } from './run-trials.ts';
import { readScale } from './scale.ts';
import { trials } from './trials.ts';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== '--'),
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1000) % 1_000_000) },
    scale: { type: 'string', default: '1' },
    page: { type: 'string', default: path.resolve(import.meta.dirname, '../../docs/reliability.md') },
    'at-once': { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

// Without this the workers and the Redis servers of the trials would stay.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.exit(await main());

async function main(): Promise<number> {
  if (values.help) {
    process.stdout.write(
      'npm run test:chaos -- [--seed N] [--scale F[,T1=F…]] [--at-once N] [--page FILE] [T1 T2 …]\nRuns the long form of all trials, or of those named. A run of all trials writes docs/reliability.md; a run of some replaces their results there.\n',
    );
    return 0;
  }
  const seed = Number(values.seed);
  const scale = readScale(
    values.scale,
    trials.map(({ id }) => id),
  );
  if (!Number.isSafeInteger(seed) || scale === undefined) {
    process.stderr.write(
      '--seed is an integer. --scale is a number above 0, and optionally one for single trials: 1,T1=0.4,T2=0.25.\n',
    );
    return 2;
  }
  const asked = trials.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  process.stdout.write(`seed ${seed}, scale ${scale.text}: ${asked.map(({ id }) => id).join(' ')}\n`);
  const atOnce = Math.max(1, Math.floor(Number(values['at-once'])) || 1);
  // Before the trials: the files may change while they run.
  const circumstances = await circumstancesNow();
  const startedAt = performance.now();
  const results = await runTrials(asked, {
    seed,
    scale,
    atOnce,
    log: (line) => void process.stdout.write(`${line}\n`),
  });
  const count = (verdict: string): number => results.filter((one) => one.verdict === verdict).length;
  const seconds = (performance.now() - startedAt) / 1000;
  const run = { seed, scale, atOnce, results, seconds, circumstances };
  if (positionals.length === 0) writeReliabilityPage(values.page, run);
  else updateReliabilityPage(values.page, run);
  process.stdout.write(`\n${count('passed')} passed, ${count('failed')} failed; seed ${seed}\n`);
  return count('failed') === 0 ? 0 : 1;
}
