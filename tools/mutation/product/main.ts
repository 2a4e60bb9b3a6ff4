import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { seeded } from '../../../test/chaos/environment/seeded.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { importersOf, relatedTests } from './related-tests.ts';

// Changes one line of the product at a time in a copy of the last commit, and runs the tests that are nearest to it.

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    lines: { type: 'string', default: '60' },
    'test-files': { type: 'string', default: '40' },
  },
});
const [seed, lines, testFiles] = [values.seed, values.lines, values['test-files']].map((text) => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  process.stderr.write(`${text} is not a number: --seed, --lines and --test-files take whole numbers.\n`);
  process.exit(2);
}) as [number, number, number];

const clone = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'millrace-mutation-'));
try {
  const copy = copyOfTheLastCommit();
  const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: copy, encoding: 'utf8' }).trim().split('\n');
  const importers = importersOf(copy, files);
  const draw = seeded(seed);
  const product = files.filter((file) => /^(?:client|engine|flows|worker)\//.test(file));
  const byLine = Map.groupBy(
    product.flatMap((file) => mutantsOf(file, readFileSync(path.join(copy, file), 'utf8'))),
    ({ file, line }) => `${file}:${line}`,
  );
  const sample = draw.sample([...byLine.values()], lines).map((mutants) => draw.pick(mutants));
  const survivors: Mutant[] = [];
  for (const [index, mutant] of sample.entries()) {
    const survives = await survivesIn(copy, mutant, relatedTests(mutant.file, importers, testFiles));
    if (survives) survivors.push(mutant);
    const end = survives ? 'NOT FOUND' : 'found';
    process.stdout.write(
      `${index + 1}/${sample.length} ${end}: ${mutant.file}:${mutant.line} ${mutant.change}\n`,
    );
  }
  const foundCount = sample.length - survivors.length;
  process.stdout.write(
    `\n${foundCount} of ${numberOf(sample.length, 'changed line')} (seed ${seed}) were found by the ${testFiles} nearest test files.\n${survivors
      .map(({ file, line, change }) => `  not found: ${file}:${line} ${change}\n`)
      .join('')}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A clone beside this one, with its packages, so that a killed run leaves no changed file here. */
function copyOfTheLastCommit(): string {
  const copy = path.join(folder, 'copy');
  execFileSync('git', ['clone', '--quiet', '--shared', clone, copy]);
  symlinkSync(path.join(clone, 'node_modules'), path.join(copy, 'node_modules'));
  const store = path.join(copy, '.millrace');
  mkdirSync(store);
  // The bundle of the tests is made from the changed code.
  for (const name of readdirSync(path.join(clone, '.millrace')).filter((entry) => entry !== 'test-bundle'))
    symlinkSync(path.join(clone, '.millrace', name), path.join(store, name));
  return copy;
}

/** Whether all tests pass although the line is changed. A line without a test is not found by one. */
async function survivesIn(copy: string, mutant: Mutant, tests: readonly string[]): Promise<boolean> {
  if (tests.length === 0) return true;
  const target = path.join(copy, mutant.file);
  const before = readFileSync(target);
  writeFileSync(target, mutant.text);
  try {
    return await pass(copy, tests);
  } finally {
    writeFileSync(target, before);
  }
}

/** Runs tests in a group of processes of their own, so that none of them outlives the run: a changed loop may never end. */
async function pass(copy: string, tests: readonly string[]): Promise<boolean> {
  const run = spawn(
    process.execPath,
    [path.join(copy, 'tools/setup/run.mjs'), 'test', '--bail', '1', ...tests],
    { cwd: copy, stdio: 'ignore', detached: true },
  );
  const endAll = (): void => {
    try {
      process.kill(-(run.pid ?? 0), 'SIGKILL');
    } catch {
      // All of them have ended.
    }
  };
  const timer = setTimeout(endAll, 240_000);
  const [code] = (await once(run, 'exit')) as [number | null];
  clearTimeout(timer);
  endAll();
  return code === 0;
}
