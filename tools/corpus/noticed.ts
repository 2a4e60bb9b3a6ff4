import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Fault } from '../../flows/mutation/faults/fault.ts';
import { mutate } from '../../flows/mutation/run/mutate.ts';
import type { ReachingTest } from '../../flows/mutation/run/reach.ts';
import {
  type PipelineTest,
  writeFirstTests,
} from '../../flows/pipeline-tests/first-test/write-first-test.ts';
import { writeTestsWithRows } from '../../flows/row-search/first-test-rows.ts';
import { withRowsFound } from '../../flows/row-search/rows-for-changes.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { findProjects, openProject } from './find-projects.ts';

/**
 * `node tools/corpus/noticed.ts FOLDER [--max COUNT] [--every COUNT]`: for each project of a folder, how many planted changes its first tests
 * notice, without and with the rows that a search adds, and for how many of the others rows are found. `--max`: changes of each project;
 * `--every 5`: only each fifth pipeline.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { max: { type: 'string', default: '1000' }, every: { type: 'string', default: '1' } },
});
const context = { clock: systemClock, signal: new AbortController().signal };
const folder = path.resolve(positionals[0] ?? '.');
const copy = mkdtempSync(path.join(tmpdir(), 'millrace-noticed-'));
try {
  cpSync(folder, copy, { recursive: true, filter: (file) => path.basename(file) !== '.git' });
  for (const name of findProjects(copy)) await measure(name);
} finally {
  rmSync(copy, { recursive: true, force: true });
}

async function measure(name: string): Promise<void> {
  const directory = path.join(copy, name);
  const project = openProject(directory);
  const pipelines = project.pipelines.filter(
    (file, index) => !project.isHidden(file) && index % Number(values.every) === 0,
  );
  const kinds = { without: writeFirstTests, with: writeTestsWithRows } as const;
  for (const [kind, write] of Object.entries(kinds)) {
    const cpu = process.cpuUsage();
    const files = await writeAll(write(pipelines, project, context), directory);
    const { user, system } = process.cpuUsage(cpu);
    if (files.length === 0) continue;
    const line = await shareOf(files, directory, { findsRows: kind === 'with' });
    const seconds = ((user + system) / 1e6).toFixed(1);
    process.stdout.write(`${name === '' ? '.' : name}, ${kind} further rows: ${line}; ${seconds} s of CPU\n`);
  }
}

async function writeAll(tests: AsyncIterable<PipelineTest>, directory: string): Promise<readonly string[]> {
  const written: PipelineTest[] = [];
  for await (const test of tests) if ((test.first?.text ?? '') !== '') written.push(test);
  // Only now, so that no test changes how another one is made.
  for (const { file, first } of written) writeFileSync(path.join(directory, file), first?.text ?? '');
  return written.map(({ file }) => file);
}

async function shareOf(
  files: readonly string[],
  directory: string,
  { findsRows }: { readonly findsRows: boolean },
): Promise<string> {
  const project = openProject(directory);
  let testsOf: (fault: Fault) => readonly ReachingTest[] = () => [];
  const onReach = (find: typeof testsOf) => {
    testsOf = find;
  };
  const common = { project, files, filter: undefined, jobs: 2, seed: 1, equal: [], isOnlyRead: true };
  const report = await mutate({ ...common, max: Number(values.max), onReach }, context);
  const { noticed, notNoticed, percent } = report;
  const share = `${noticed} of ${noticed + notNoticed} changes noticed (${percent ?? 0} %)`;
  if (!findsRows) return share;
  const { changes } = await withRowsFound(
    report,
    testsOf,
    { project, seed: 1, budgetMs: 3_600_000 },
    context,
  );
  const found = changes.filter(({ rows }) => rows === 'found').length;
  return `${share}, rows found for ${found} of the other ${notNoticed}`;
}
