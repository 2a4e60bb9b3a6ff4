import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { serverEnvironment } from '../../lib/redis/server/server-binary.ts';
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
  /** Date, commit and versions. */
  readonly circumstances: string;
}

/** Writes the results of all trials; nothing on the page is written by hand. */
export function writeReliabilityPage(file: string, run: Run): void {
  const { seed, scale, atOnce, results } = run;
  const lines = [
    '# Reliability: the worker under faults',
    '',
    'After reading this page, you know under which faults the worker was tried, and what was counted.',
    '',
    `\`npm run test:chaos\` writes this page; do not edit it. ${countsOf(results.map(({ verdict }) => verdict))}`,
    `To repeat it: \`npm run test:chaos -- --seed ${seed} --scale ${scale.text} --at-once ${atOnce}\`. It took ${Math.ceil(run.seconds / 60)} minutes, with ${atOnce === 1 ? 'one trial after the other' : `${atOnce} trials at the same time`}.`,
    ...shortened(run),
    'Each trial runs the worker in real processes on a real Redis, causes one kind of fault, and checks what must hold. The seed decides which faults occur and in which order. The moment at which a fault reaches a process differs from run to run. [promises.md](promises.md) lists what the worker promises, and the test of each promise. Streaming pipelines have [separate trials](streaming.md#how-this-was-tried).',
    '',
    run.circumstances,
    '',
    '| # | trial | verdict | seconds |',
    '| --- | --- | --- | ---: |',
    ...results.map(rowOf),
    '',
    ...results.flatMap(describe),
  ];
  writeFileSync(file, lines.join('\n'));
}

/**
 * Replaces the results of some trials on the page by the results of a new run, and notes that run in place of their earlier ones. False if no page
 * exists.
 */
export function updateReliabilityPage(file: string, run: Run): boolean {
  if (!existsSync(file)) return false;
  const { seed, scale, atOnce, results } = run;
  const [head = '', ...sections] = readFileSync(file, 'utf8').split(/^(?=## )/m);
  const idOf = (section: string): string => /^## ([^:]+):/.exec(section)?.[1] ?? '';
  const again = new Map(results.map((result) => [result.trial.id, result]));
  const present = new Set(sections.map(idOf));
  const added = results.filter(({ trial }) => !present.has(trial.id));
  const ids = results.map(({ trial }) => trial.id).join(' ');
  const command = `npm run test:chaos -- --seed ${seed} --scale ${scale.text} --at-once ${atOnce} ${ids}`;
  const newHead = withLatestNotes(head, new Set(again.keys()))
    .replaceAll(/^\| ([^ |]+) \|.*$/gm, (row, id: string) => {
      const result = again.get(id);
      return result === undefined ? row : rowOf(result);
    })
    .replace(/^(?=\| # \|)/m, `**Later, again**: ${ids} (\`${command}\`), ${run.circumstances}.\n\n`)
    .replace(/(?<=^\|.*\|\n)(?!\|)/m, added.map((result) => `${rowOf(result)}\n`).join(''));
  const verdicts = [...newHead.matchAll(/^\| [^|]+ \|.*\| (passed|failed) \| \d+ \|$/gm)].map(
    ([, one]) => one,
  );
  const all = sections.map((section) => {
    const result = again.get(idOf(section));
    return result === undefined ? section : describe(result).join('\n');
  });
  all.push(...added.map((result) => describe(result).join('\n')));
  const text = newHead.replace(/\d+ trials passed, \d+ failed\./, countsOf(verdicts));
  writeFileSync(file, `${text}${all.map((section) => section.trimEnd()).join('\n\n')}\n`);
  return true;
}

/** Each trial stays only in the note of its last run. `again`: trials that run now. */
function withLatestNotes(head: string, again: ReadonlySet<string>): string {
  const noted = new Set(again);
  const parts = head.split(/^(?=\*\*Later, again\*\*: )/m).toReversed();
  const kept = parts.map((part) => {
    const [, ids = '', rest = ''] = /^\*\*Later, again\*\*: ([^(]+) (\([^]*)$/.exec(part) ?? [];
    if (ids === '') return part;
    const left = ids.split(' ').filter((id) => !noted.has(id));
    for (const id of left) noted.add(id);
    const [, after = ''] = /\n\n([^]*)$/.exec(rest) ?? [];
    return left.length === 0 ? after : `**Later, again**: ${left.join(' ')} ${rest}`;
  });
  return kept.toReversed().join('');
}

function countsOf(verdicts: readonly (string | undefined)[]): string {
  const count = (verdict: string): number => verdicts.filter((one) => one === verdict).length;
  return `${count('passed')} trials passed, ${count('failed')} failed.`;
}

const rowOf = ({ trial, verdict, seconds }: TrialResult): string =>
  `| ${trial.id} | ${cell(trial.title)} | ${verdict} | ${seconds} |`;

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

/** Date, commit and versions, as they are now. */
export async function circumstancesNow(): Promise<string> {
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
