import { type Command, InvalidArgumentError } from 'commander';
import { Failure } from '../../lib/core/errors/failure.ts';
import { parseDurationOption } from '../kit/command.ts';
import { parseCount } from '../terminal/parse-count.ts';

/** The options about planted changes: small changes of pipelines that tests should notice. */
export interface MutationFlags {
  /** The pipelines to change; true for all. */
  readonly mutate?: readonly string[] | true;
  readonly threshold?: number;
  readonly seed?: number;
  readonly max?: number;
  readonly budget?: number;
  /** Milliseconds; true for the default. */
  readonly findRows?: number | true;
}

/** Options of a test run that have no effect on planted changes. */
interface OtherOptions {
  readonly addRow?: string;
  readonly coverage?: boolean;
  readonly list?: boolean;
  readonly watch?: boolean;
  readonly init?: string;
  readonly update?: boolean;
  readonly shard?: object;
  readonly writeDurations?: string;
  readonly format?: string;
}

export function addMutationOptions(command: Command): Command {
  return command
    .option(
      '--mutate [pipelines...]',
      'plant small changes into these pipelines (default: all), and list those that no test notices',
    )
    .option(
      '--threshold <percent>',
      'with --mutate: fail if the tests notice less than this share of the changes',
      parsePercent,
    )
    .option('--max <count>', 'with --mutate: try at most this many changes', parseCount)
    .option(
      '--budget <duration>',
      'with --mutate: time after which no more changes are tried, such as 60s; with --add-row: time limit of the search (default: 60s)',
      parseDurationOption,
    )
    .option(
      '--find-rows [duration]',
      'with --mutate: search for rows that show the changes that no test notices, at most this long (default: 60s); with --init: time for the search of rows for each pipeline (default: 20s; 0s: no search)',
      parseDurationOption,
    )
    .option(
      '--seed <number>',
      'with --max or --budget: selects which changes are tried; with --find-rows or --add-row: selects the random rows (default: 1)',
      parseCount,
    );
}

/** Parses a whole number from 0 to 100. Throws InvalidArgumentError. */
function parsePercent(text: string): number {
  if (/^(?:\d{1,2}|100)$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 0 to 100.');
}

/** Throws Failure 'usage' for options about planted changes without --mutate, and for other options with it. */
export function refuseMutation(options: MutationFlags & OtherOptions): void {
  const { mutate, threshold, seed, max, budget, findRows, addRow } = options;
  const given = (names: Readonly<Record<string, boolean>>) =>
    Object.entries(names).find(([, isGiven]) => isGiven)?.[0];
  if (mutate === undefined) {
    const option = given({
      '--threshold': threshold !== undefined,
      '--max': max !== undefined,
      '--budget': budget !== undefined && addRow === undefined,
      '--find-rows': findRows !== undefined && options.init === undefined,
      '--seed': seed !== undefined && addRow === undefined,
    });
    if (option === undefined) return;
    const modes = {
      '--find-rows': '--mutate or --init',
      '--budget': '--mutate or --add-row',
      '--seed': '--mutate or --add-row',
    };
    const mode = Object.entries(modes).find(([name]) => name === option)?.[1] ?? '--mutate';
    throw new Failure('usage', {
      message: `${option} has no effect without ${mode}.`,
      where: { input: option },
      hint: `Add ${mode}, or remove ${option}.`,
    });
  }
  const other = given({
    '--coverage': options.coverage === true,
    '--list': options.list === true,
    '--watch': options.watch === true,
    '--init': options.init !== undefined,
    '--add-row': addRow !== undefined,
    '--update': options.update === true,
    '--shard': options.shard !== undefined,
    '--write-durations': options.writeDurations !== undefined,
    '--format blob': options.format === 'blob',
  });
  if (other === undefined) return;
  throw new Failure('usage', {
    message: `--mutate cannot be combined with ${other}: it runs tests with planted changes, and reports only what they notice.`,
    where: { input: '--mutate' },
    hint: `Remove --mutate or ${other}.`,
  });
}
