import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { pairwiseOf, type Row, type Sample, sampleOf } from './measure.ts';
import { mutants } from './mutants.ts';
import { projectWithTests, testsByHand } from './test-project.ts';
import { type Usage, usageOf } from './usage.ts';

const run = promisify(execFile);

/** A project with tests, and their statements by hand. One case is measured at a time. */
interface Case {
  readonly folder: string;
  readonly count: number;
}

/** `millrace test` from the shell: the first test, each further one, and 500; planted changes. */
export async function tests(): Promise<Row[]> {
  const root = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  try {
    const [single, some, many] = await Promise.all(
      [1, 101, 500].map(async (count): Promise<Case> => {
        const folder = path.join(root, String(count));
        await writeProject(folder, count);
        return { folder, count };
      }),
    );
    if (single === undefined || some === undefined || many === undefined) throw new Error('no projects');
    await writeFile(path.join(root, 'empty.js'), '');
    return [
      await firstTest(single, root),
      await furtherTest(single, some),
      await manyTests(many),
      ...(await severalJobs(many)),
      await knownTests(many, root),
      ...(await dataDiffs(many, root)),
      ...(await mutants(root)),
    ];
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function firstTest(single: Case, root: string): Promise<Row> {
  const used: Usage[] = [];
  const both = await pairwiseOf(
    7,
    async () => keep(used, await ours(single)).cpuMs,
    async () => (await usageOf([path.join(root, 'empty.js')], root)).cpuMs,
  );
  return rowOf('the first test of ten rows, from the shell', used, both, 'the start of an empty script');
}

/** The cost of each further test: the difference of two runs. A single pair may have a negative figure, because the machine varies. */
async function furtherTest(single: Case, some: Case): Promise<Row> {
  const used: Usage[] = [];
  const each = (first: Usage, all: Usage) => (all.cpuMs - first.cpuMs) / (some.count - single.count);
  const both = await pairwiseOf(
    5,
    async () => each(await ours(single), keep(used, await ours(some))),
    async () => each(await byHand(single), await byHand(some)),
  );
  return rowOf('each further test of ten rows', used, both, 'its statements by hand in DuckDB');
}

async function manyTests(many: Case): Promise<Row> {
  const used: Usage[] = [];
  const both = await pairwiseOf(
    3,
    async () => keep(used, await ours(many)).cpuMs,
    async () => (await byHand(many)).cpuMs,
  );
  return rowOf('500 tests of ten rows, from the shell', used, both, 'their statements by hand in DuckDB');
}

/** The same tests with one job and with two: the elapsed time, in turn, so the machine must have two cores free. */
async function severalJobs(many: Case): Promise<readonly Row[]> {
  const used: Usage[] = [];
  const usedByOne: Usage[] = [];
  const both = await pairwiseOf(
    5,
    async () => keep(used, await ours(many, ['test', '--jobs', '2', '--no-cache'])).wallMs,
    async () => keep(usedByOne, await ours(many)).wallMs,
  );
  const cpu = (usages: readonly Usage[]) => sampleOf(usages.map(({ cpuMs }) => cpuMs)).medianMs.toFixed(0);
  return [
    {
      what: `500 tests of ten rows with two jobs, elapsed (CPU ${cpu(used)} ms, with one job ${cpu(usedByOne)} ms)`,
      ...both,
      referenceName: 'the same tests with one job',
    },
  ];
}

/** `millrace diff` with one changed pipeline, and with all: against one run of the tests. */
async function dataDiffs(many: Case, root: string): Promise<readonly Row[]> {
  const git = (...args: readonly string[]) =>
    run('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], { cwd: many.folder });
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'base');
  const pipelines = [...projectWithTests(many.count).keys()].filter((file) =>
    /\.(?:orch|tran)\.yaml$/.test(file),
  );
  const rows: Row[] = [await diffOfKnownTests(many, root, pipelines)];
  for (const [what, changed] of [
    ['one changed pipeline', pipelines.slice(0, 1)],
    ['all pipelines changed', pipelines],
  ] as const) {
    for (const file of changed) await appendFile(path.join(many.folder, file), '# changed\n');
    const used: Usage[] = [];
    const both = await pairwiseOf(
      3,
      async () => keep(used, await ours(many, ['diff', '--no-cache'])).cpuMs,
      async () => (await ours(many)).cpuMs,
    );
    rows.push(rowOf(`the data diff of 500 tests, ${what}`, used, both, 'one run of the tests'));
  }
  return rows;
}

/** All tests in the cache: against running them. */
async function knownTests(many: Case, root: string): Promise<Row> {
  const cached = ['test', '--cache', path.join(root, 'cache')];
  await ours(many, cached);
  const used: Usage[] = [];
  const both = await pairwiseOf(
    5,
    async () => keep(used, await ours(many, cached)).cpuMs,
    async () => (await ours(many)).cpuMs,
  );
  return rowOf('500 tests of ten rows that are in the cache', used, both, 'running them with one job');
}

/** One changed pipeline, the other tests in the cache: against the test that matters. */
async function diffOfKnownTests(many: Case, root: string, pipelines: readonly string[]): Promise<Row> {
  const [changed = ''] = pipelines;
  const file = path.join(many.folder, changed);
  const before = await readFile(file, 'utf8');
  const used: Usage[] = [];
  await writeFile(file, `${before}# changed\n`);
  const both = await pairwiseOf(
    5,
    async () => keep(used, await ours(many, ['diff', '--cache', path.join(root, 'cache')])).cpuMs,
    async () => (await ours(many, ['test', changed, '--no-cache'])).cpuMs,
  );
  await writeFile(file, before);
  return rowOf(
    'the data diff of 500 tests, one changed pipeline, the other tests in the cache',
    used,
    both,
    'the test that matters',
  );
}

function keep(used: Usage[], usage: Usage): Usage {
  used.push(usage);
  return usage;
}

function rowOf(
  what: string,
  used: readonly Usage[],
  both: { readonly ours: Sample; readonly reference: Sample },
  referenceName: string,
): Row {
  const wall = used.map(({ wallMs }) => wallMs).toSorted((a, b) => a - b)[Math.floor(used.length / 2)] ?? 0;
  const peak = Math.max(...used.map(({ peakMiB }) => peakMiB));
  const facts = `elapsed ${wall.toFixed(0)} ms, peak memory ${peak.toFixed(0)} MiB`;
  return { what: `${what} (${facts})`, ...both, referenceName, unit: ' CPU' };
}

/** With one job, unless the arguments say otherwise: the processor time of other processes counts as well. */
function ours(
  { folder }: Case,
  args: readonly string[] = ['test', '--jobs', '1', '--no-cache'],
): Promise<Usage> {
  const main = path.resolve(import.meta.dirname, '../../build/cli/main.js');
  return usageOf([main, ...args], folder);
}

function byHand({ folder }: Case): Promise<Usage> {
  const script = path.join(import.meta.dirname, 'run-by-hand.ts');
  return usageOf([script, path.join(folder, 'by-hand.json')], folder);
}

async function writeProject(folder: string, count: number): Promise<void> {
  for (const [file, text] of projectWithTests(count)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  await writeFile(path.join(folder, 'by-hand.json'), JSON.stringify(testsByHand(count)));
}
