import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { serverEnvironment } from '../../lib/redis/server-binary.ts';
import { testServerBinary } from '../environment/redis-binary.ts';
import type { TrialResult } from './run-trials.ts';
import type { Scale } from './scale.ts';

const root = path.resolve(import.meta.dirname, '../..');

interface Run {
  readonly seed: number;
  readonly scale: Scale;
  readonly atOnce: number;
  readonly results: readonly TrialResult[];
  /** How long all of them took together. */
  readonly seconds: number;
}

/** Writes the results of all trials; nothing on the page is written by hand. */
export async function writeReliabilityPage(file: string, run: Run): Promise<void> {
  const { seed, scale, atOnce, results } = run;
  const count = (verdict: string): number => results.filter((one) => one.verdict === verdict).length;
  const lines = [
    '# Reliability: the worker under faults',
    '',
    'After this page you know under which faults the worker was tried, and what was counted.',
    '',
    `\`npm run test:chaos\` writes this page; do not edit it. ${count('passed')} trials passed, ${count('failed')} failed.`,
    `To repeat it: \`npm run test:chaos -- --seed ${seed} --scale ${scale.text} --at-once ${atOnce}\`. It took ${Math.ceil(run.seconds / 60)} minutes, with ${atOnce === 1 ? 'one trial after the other' : `${atOnce} trials at the same time`}.`,
    ...shortened(run),
    'Each trial runs the worker in real processes on a real Redis, causes one kind of fault, and checks what must hold. The seed decides which faults occur and in which order; the moment at which a fault reaches a process differs from run to run. [promises.md](promises.md) lists what the worker promises, and the test of each promise.',
    '',
    await circumstances(),
    '',
    '| # | trial | verdict | seconds |',
    '| --- | --- | --- | ---: |',
    ...results.map(
      ({ trial, verdict, seconds }) => `| ${trial.id} | ${cell(trial.title)} | ${verdict} | ${seconds} |`,
    ),
    '',
    ...results.flatMap(describe),
  ];
  writeFileSync(file, lines.join('\n'));
}

/** Which trials ran for less than their full length. */
function shortened({ scale, results }: Run): string[] {
  const short = results
    .map(({ trial }) => ({ id: trial.id, factor: scale.of(trial.id) }))
    .filter(({ factor }) => factor < 1);
  if (short.length === 0) return [];
  const all = short.length === results.length && new Set(short.map(({ factor }) => factor)).size === 1;
  const which = all
    ? `each trial ran at ${percent(short[0]?.factor ?? 1)} of its full length`
    : short.map(({ id, factor }) => `${id} ran at ${percent(factor)} of its full length`).join(', ');
  return [`**Not at full length**: ${which}.`];
}

const percent = (factor: number): string => `${Math.round(factor * 100)} %`;

function describe({ trial, verdict, reason, counts }: TrialResult): string[] {
  const counted = Object.entries(counts).map(([name, value]) => `| ${cell(name)} | ${cell(String(value))} |`);
  return [
    `## ${trial.id}: ${trial.title}`,
    '',
    `Must hold: ${trial.criterion}.`,
    '',
    ...(reason === '' ? [] : [`**${verdict}**: ${cell(reason)}`, '']),
    ...(counted.length === 0 ? [] : ['| what was counted | |', '| --- | ---: |', ...counted, '']),
  ];
}

/** Date, commit and versions of the run. */
async function circumstances(): Promise<string> {
  const git = (...args: string[]): string => {
    try {
      return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
    } catch {
      return '';
    }
  };
  const changed = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs/reliability.md');
  const lock = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const { binary, libraries } = await testServerBinary();
  const server =
    execFileSync(binary, ['--version'], { encoding: 'utf8', env: serverEnvironment(libraries) }).split(
      ' sha=',
    )[0] ?? '';
  return [
    `${new Date().toISOString().slice(0, 16)}Z`,
    `commit ${git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : ' with uncommitted changes'}`,
    `Node ${process.version}`,
    `bullmq ${lock.dependencies['bullmq'] ?? ''}`,
    `ioredis ${lock.dependencies['ioredis'] ?? ''}`,
    server.replace(/^(\w+) server v=/i, '$1 '),
    `${cpus().length} cores`,
  ].join(' · ');
}

/** A table's cell: one line, no bar, no folder of this machine. */
function cell(text: string): string {
  return text
    .replaceAll(root, '.')
    .replaceAll(tmpdir(), '(temporary)')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .slice(0, 600);
}
