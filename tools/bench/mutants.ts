import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { numberOf } from '../../lib/core/text/number-of.ts';
import type { MutationReport } from '../../flows/mutation/run/mutate.ts';
import { pairwiseOf, type Row, sampleOf } from './measure.ts';
import { projectWithCases, testFileOf } from './test-project.ts';
import { type Usage, usageOf } from './usage.ts';

const main = path.resolve(import.meta.dirname, '../../build/cli/main.js');
/** So many have more than 100 changes, which two processes share. */
const pipelines = 20;

/**
 * `millrace test --mutate` from the shell: what each change adds to a plain run of the tests, against what as many further tests add to it
 * as the changes run. The reference is a project whose pipelines have their test once more for each change that runs it.
 */
export async function mutants(root: string): Promise<readonly Row[]> {
  const [single, many] = [path.join(root, 'changed'), path.join(root, 'as-many-tests')];
  await writeFiles(single, projectWithCases(Array.from({ length: pipelines }, () => 1)));
  const report = await reportOf(single);
  const changes = report.noticed + report.notNoticed + report.refused;
  const counts = Array.from({ length: pipelines }, (_, number) => 1 + runsOf(testFileOf(number), report));
  await writeFiles(many, projectWithCases(counts));
  const measured = async (jobs: number, figure: 'cpuMs' | 'wallMs') => {
    const whole: number[] = [];
    const run = (folder: string, ...args: readonly string[]): Promise<Usage> =>
      usageOf([main, 'test', ...args, '--jobs', `${jobs}`], folder);
    const plain = async (folder: string) => (await run(folder, '--no-cache'))[figure];
    const both = await pairwiseOf(
      5,
      async () => {
        const usage = await run(single, '--mutate');
        whole.push(usage.wallMs);
        return (usage[figure] - (await plain(single))) / changes;
      },
      async () => ((await plain(many)) - (await plain(single))) / changes,
    );
    const rate = (1000 * changes) / sampleOf(whole).medianMs;
    return { both, rate: `${rate.toFixed(0)} changes a second with ${numberOf(jobs, 'job')}` };
  };
  const [one, two] = [await measured(1, 'cpuMs'), await measured(2, 'wallMs')];
  const referenceName = 'the tests that it runs';
  return [
    { what: `a planted change (${one.rate})`, ...one.both, referenceName, unit: ' CPU', bound: 1.3 },
    { what: `a planted change, elapsed (${two.rate})`, ...two.both, referenceName },
  ];
}

/** How many tried changes ran the test of a file. Each test is the only one of its pipeline, so a change runs each test that reaches it once. */
function runsOf(file: string, { changes }: MutationReport): number {
  const tried = changes.filter(({ verdict }) => verdict !== 'not-reached' && verdict !== 'equal');
  if (tried.some(({ tests }) => tests !== 1)) throw new Error('a change that several tests reach');
  const pipeline = file.replace(/\.test\.yaml$/, '');
  const number = pipeline.slice(pipeline.lastIndexOf('-'));
  return tried.filter((change) => change.file.replace(/\.(?:orch|tran)\.yaml$/, '').endsWith(number)).length;
}

async function reportOf(folder: string): Promise<MutationReport> {
  const args = [main, 'test', '--mutate', '--json'];
  const { stdout } = await promisify(execFile)('node', args, { cwd: folder, maxBuffer: 64 * 1024 ** 2 });
  return JSON.parse(stdout) as MutationReport;
}

async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [file, text] of files) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
}
