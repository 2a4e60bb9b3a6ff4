import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { growthChange, growthProject } from './growth-project.ts';
import { type Row, runCommand, sampleOf } from './measure.ts';
import { usageOf } from './usage.ts';

/** A figure at several sizes. */
export interface GrowthRow {
  readonly what: string;
  /** By number of pipelines: milliseconds of processor time, without the start of the command. */
  readonly figures: ReadonlyMap<number, number>;
  /** The power of the number of pipelines with which the figure grows: 1 is linear. */
  readonly exponent: number;
}

/** An exponent above this one is a fault: twice the project takes more than 2.2 times as long. */
export const maxExponent = 1.15;

const sizes = [250, 500, 1000] as const;
const [, , largest] = sizes;
/** What the start of a command takes is measured with a project of this size. */
const startSize = 5;
const rounds = 2;

/** How a command is measured: its arguments, and its exit codes when all is well. */
interface Command {
  readonly args: readonly string[];
  readonly codes: readonly number[];
  /** Whether columns are renamed on disk since the commit. */
  readonly isChanged?: true;
}

/** The findings of the project are unknown calls and the cycle, and what the change breaks. */
const commands: Readonly<Record<string, Command>> = {
  graph: { args: ['graph'], codes: [0] },
  review: { args: ['review', '--local'], codes: [1] },
  // More jobs start further processes from some number of tests on.
  test: { args: ['test', '--jobs', '1', '--no-cache'], codes: [0] },
  compile: { args: ['compile'], codes: [0] },
  'compile --base, with renamed columns': {
    args: ['compile', '--base', 'HEAD'],
    codes: [1],
    isChanged: true,
  },
  'affected, with renamed columns': { args: ['affected'], codes: [0], isChanged: true },
};

const parsing = 'parsing the files with `yaml`';

/** How the cost of commands grows with the number of pipelines, and two ratios at the largest size. */
export async function growth(): Promise<{
  readonly growth: readonly GrowthRow[];
  readonly rows: readonly Row[];
}> {
  const root = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  try {
    const rows: GrowthRow[] = [];
    const folders = new Map<number, string>();
    for (const size of [startSize, ...sizes]) folders.set(size, await writeProject(root, size));
    for (const [what, command] of Object.entries(commands).filter(([, { isChanged }]) => isChanged !== true))
      rows.push(await measured(what, folders, (folder) => commandCost(folder, command)));
    rows.push(await measured(parsing, folders, parsingCost));
    for (const [size, folder] of folders)
      for (const [file, text] of growthChange(size)) await writeFile(path.join(folder, file), text);
    for (const [what, command] of Object.entries(commands).filter(([, { isChanged }]) => isChanged === true))
      rows.push(await measured(what, folders, (folder) => commandCost(folder, command)));
    return { growth: rows, rows: ratios(rows) };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** The rows that compare work on the largest project with a reference on the same one; each has a bound of 1. */
function ratios(rows: readonly GrowthRow[]): readonly Row[] {
  const figure = (what: string) => {
    const ms = rows.find((row) => row.what === what)?.figures.get(largest) ?? Number.NaN;
    return (factor = 1) => sampleOf([ms * factor]);
  };
  const tests = [...growthProject(largest).keys()].filter((file) => file.endsWith('.test.yaml')).length;
  return [
    {
      what: `columns of ${largest} pipelines`,
      ours: figure('compile')(),
      reference: figure('test')(largest / tests),
      referenceName: 'one small test for each pipeline',
      unit: ' CPU',
      bound: 1,
    },
    {
      what: `calls and tables of ${largest} pipelines`,
      ours: figure('graph')(),
      reference: figure(parsing)(),
      referenceName: parsing,
      unit: ' CPU',
      bound: 1,
    },
  ];
}

async function measured(
  what: string,
  folders: ReadonlyMap<number, string>,
  cost: (folder: string) => Promise<number>,
): Promise<GrowthRow> {
  const costs = new Map<number, number[]>();
  // In turn, so that a slow moment of the machine meets all sizes.
  for (let round = 0; round < rounds; round += 1)
    for (const [size, folder] of folders) costs.set(size, [...(costs.get(size) ?? []), await cost(folder)]);
  const best = (size: number) => sampleOf(costs.get(size) ?? []).minMs;
  const figures = new Map(sizes.map((size) => [size, best(size) - best(startSize)]));
  return { what, figures, exponent: exponentOf(figures) };
}

/** The slope of the line through the logarithms, by least squares. */
export function exponentOf(figures: ReadonlyMap<number, number>): number {
  const points = Array.from(figures, ([size, ms]) => ({ x: Math.log(size), y: Math.log(Math.max(ms, 1)) }));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const products = points.map(({ x, y }) => (x - meanX) * (y - meanY));
  const squares = points.map(({ x }) => (x - meanX) ** 2);
  return mean(products) / mean(squares);
}

async function commandCost(folder: string, { args, codes }: Command): Promise<number> {
  const main = path.resolve(import.meta.dirname, '../../build/cli/main.js');
  return (await usageOf([main, ...args], folder, codes)).cpuMs;
}

async function parsingCost(folder: string): Promise<number> {
  return (await usageOf([path.join(import.meta.dirname, 'parse-with-yaml.ts'), folder], folder)).cpuMs;
}

async function writeProject(root: string, size: number): Promise<string> {
  const folder = path.join(root, String(size));
  for (const [file, text] of growthProject(size)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  const git = (...args: string[]) =>
    runCommand('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
      cwd: folder,
    });
  await git('init', '-q');
  await git('add', '-A');
  await git('commit', '-qm', 'A project that grows');
  return folder;
}
