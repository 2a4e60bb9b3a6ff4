import { Failure } from '../../lib/core/errors/failure.ts';
import type { Shard } from '../../flows/pipeline-tests/shards/choose-shard.ts';
import type { TestContext } from '../../flows/pipeline-tests/run/test-context.ts';
import type { CommonOptions } from '../kit/session.ts';
import { type MutationFlags, refuseMutation } from './mutation-options.ts';
import type { PythonFlags } from './python-permission.ts';
import type { CacheFlags } from './test-cache.ts';
import { refuseFormat } from './refuse-format.ts';

/** The forms of the report of tests. */
export const formats = ['text', 'json', 'junit', 'markdown', 'blob'] as const;

/** The formats in which a report can be printed alone; the others are parts of another report. */
export const wholeFormats = ['text', 'json', 'junit', 'markdown'] as const;

/** The options of `millrace test`. */
export interface TestOptions extends CommonOptions, PythonFlags, CacheFlags, MutationFlags {
  readonly filter?: string;
  readonly jobs: number;
  readonly format?: (typeof formats)[number];
  readonly coverage?: boolean;
  readonly affected?: string;
  readonly list?: boolean;
  readonly watch?: boolean;
  readonly init?: string;
  readonly update?: boolean;
  readonly addRow?: string;
  readonly dryRun?: boolean;
  readonly shard?: Shard;
  readonly durations?: string;
  readonly writeDurations?: string;
}

/** What every mode of `millrace test` gets from the command line, besides its options. */
export interface TestArguments {
  /** Test files, pipelines, folders or globs; none for all tests. */
  readonly names: readonly string[];
  readonly context: TestContext;
}

/** Throws Failure 'usage' for options of `millrace test` that contradict each other. */
export function refuseOptions(options: TestOptions): void {
  const { json, format, init, update, addRow, dryRun, coverage } = options;
  refuseMutation(options);
  if (dryRun === true && init === undefined && update !== true && addRow === undefined) {
    throw new Failure('usage', {
      message: '--dry-run has no effect without --init, --update or --add-row.',
      where: { input: '--dry-run' },
      hint: 'Remove --dry-run, or add --init, --update or --add-row. A plain test run changes no files.',
    });
  }
  refuseWithAddRow(options);
  refuseFormat({ json, format });
  if (format === 'junit' && coverage === true) {
    throw new Failure('usage', {
      message: '--coverage cannot be combined with --format junit, which has no place for it.',
      where: { input: '--coverage' },
      hint: 'Remove --coverage, or use --format json or markdown.',
    });
  }
  refuseShard(options);
  if (init !== undefined && update === true) {
    throw new Failure('usage', {
      message:
        '--init cannot be combined with --update: --init writes a new test, and --update changes existing tests.',
      where: { input: '--init' },
      hint: 'Remove --init or --update.',
    });
  }
}

/** Throws Failure 'usage' for options that have no meaning for one more test. */
function refuseWithAddRow({ addRow, ...options }: TestOptions): void {
  if (addRow === undefined) return;
  const others = {
    '--init': options.init !== undefined,
    '--update': options.update === true,
    '--watch': options.watch === true,
    '--list': options.list === true,
    '--coverage': options.coverage === true,
    '--shard': options.shard !== undefined,
    '--affected': options.affected !== undefined,
    '--write-durations': options.writeDurations !== undefined,
    '--format': options.format !== undefined,
  };
  const [other] = Object.entries(others).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (other === undefined) return;
  throw new Failure('usage', {
    message: `--add-row cannot be combined with ${other}: --add-row adds one test for a planted change, and runs no others.`,
    where: { input: '--add-row' },
    hint: `Remove --add-row or ${other}.`,
  });
}

/** Throws Failure 'usage' for options that have no meaning for a part of the tests, or only for one. */
function refuseShard({ shard, durations, writeDurations, format, ...options }: TestOptions): void {
  const modes = {
    '--init': options.init !== undefined,
    '--update': options.update === true,
    '--watch': options.watch === true,
  };
  const [mode] = Object.entries(modes).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  const parts = {
    '--shard': shard !== undefined,
    '--format blob': format === 'blob',
    '--write-durations': writeDurations !== undefined,
  };
  for (const [name, isGiven] of Object.entries(parts)) {
    if (!isGiven || mode === undefined) continue;
    throw new Failure('usage', {
      message: `${name} cannot be combined with ${mode}: ${name} is for plain runs of the tests.`,
      where: { input: name },
      hint: `Remove ${name} or ${mode}.`,
    });
  }
  if (durations !== undefined && shard === undefined) {
    throw new Failure('usage', {
      message: '--durations has no effect without --shard.',
      where: { input: '--durations' },
      hint: 'Add --shard with the part to run, such as 2/8, or remove --durations.',
    });
  }
  if (writeDurations !== undefined && (shard !== undefined || options.list === true)) {
    const other =
      shard === undefined ? '--list, which runs no test' : '--shard, which has durations of one part only';
    throw new Failure('usage', {
      message: `--write-durations cannot be combined with ${other}.`,
      where: { input: '--write-durations' },
      hint: 'Remove it here. With shards, give it to `millrace test merge`, which has the durations of all.',
    });
  }
}
