import { type Command, InvalidArgumentError } from 'commander';
import { maxShards, parseShard, type Shard } from '../../../flows/pipeline-tests/shards/choose-shard.ts';
import type { MergeOptions } from '../../tests/merge-shards.ts';
import { defaultJobs } from '../../../flows/pipeline-tests/run/default-jobs.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { type AddCommand, commandAction, defineCommand, oneOf, type Shell } from '../../kit/command.ts';
import { addCacheOptions } from '../../tests/test-cache.ts';
import { openTests } from '../../tests/open-tests.ts';
import { addMutationOptions } from '../../tests/mutation-options.ts';
import { addPythonOptions, pythonPermission } from '../../tests/python-permission.ts';
import { formats, refuseOptions, type TestOptions, wholeFormats } from '../../tests/test-options.ts';
import { parseCount } from '../../terminal/parse-count.ts';

/** `millrace test`: runs the tests of pipelines on embedded DuckDB. */
export const addTest: AddCommand = (program, shell) => {
  const command = defineCommand(program, 'test', 'Run the tests of pipelines on this machine.');
  addMerge(command, shell);
  addMutationOptions(addCacheOptions(addPythonOptions(command)))
    .argument(
      '[files...]',
      'test files, pipelines, folders or globs, relative to the current folder (default: all tests of the project)',
    )
    .option('--filter <text>', 'only tests whose name contains this text')
    .option(
      '--affected <ref>',
      'only tests whose result a change since this commit, or since the branch left it, may change',
    )
    .option('--jobs <count>', 'number of tests that run at the same time', parseCount, defaultJobs)
    .option('--format <format>', formats.join(', '), oneOf(formats))
    .option('--shard <part>', 'only one part of the tests, such as 2/8; each test is in one part', parsePart)
    .option(
      '--durations <file>',
      'with --shard: file with durations of tests, so that all parts take about the same time',
    )
    .option('--write-durations <file>', 'file to write the durations of the tests that ran to')
    .option('--coverage', 'list the components, transitions and branches that no test reached')
    .option('--list', 'list the tests that would run, without running them')
    .option('--watch', 'run the tests again whose files change, until Ctrl-C')
    .option('--init <pipeline>', 'write a first test beside a pipeline, or beside each one of a folder')
    .option('--update', 'replace the expected rows and variables by the actual ones, and show the diff')
    .option(
      '--add-row <id>',
      'add a test that notices the planted change with this id (from --mutate), and show the diff',
    )
    .option('--dry-run', 'with --init, --update or --add-row print what would be written, without writing it')
    .action(
      commandAction<TestOptions>(shell, async (session, options, ...names) => {
        refuseOptions(options);
        const python = pythonPermission(options, session.io);
        const { clock, signal } = session.flow;
        const given = { names, context: { clock, signal, python } };
        if (options.list === true) {
          const { listChosen } = await import('../../tests/list-tests.ts');
          return listChosen(session, options, given);
        }
        if (options.watch === true) {
          const { watchChosen } = await import('../../watch/watch-chosen.ts');
          return watchChosen(session, options, given);
        }
        if (options.mutate !== undefined) {
          const { mutateTests } = await import('../../tests/mutate-tests.ts');
          return mutateTests(session, options, given);
        }
        const { init, addRow, dryRun = false } = options;
        if (addRow !== undefined) {
          const { addRowTests } = await import('../../tests/add-row.ts');
          return addRowTests(session, { ...options, addRow }, given);
        }
        if (init !== undefined) {
          const { initTests } = await import('../../tests/init-test.ts');
          const { context } = given;
          const findRowsMs = options.findRows === true ? undefined : options.findRows;
          return initTests(session, await openTests(session), { name: init, dryRun, findRowsMs, context });
        }
        const { runChosen } = await import('../../tests/run-chosen.ts');
        return runChosen(session, options, given);
      }),
    );
};

/** `millrace test merge`: one report of the blobs of all shards. */
function addMerge(test: Command, shell: Shell): void {
  // The options after the word belong to it. A command `help` is left out: the word may be a folder of tests.
  test.parent?.enablePositionalOptions();
  test.enablePositionalOptions().helpCommand(false);
  defineCommand(test, 'merge', 'Make one report of the blobs that all shards wrote.')
    .argument('<files...>', 'files that `millrace test --shard … --format blob` wrote, one of each shard')
    .option('--format <format>', wholeFormats.join(', '), oneOf(wholeFormats))
    .option('--write-durations <file>', 'file to write the durations of all tests to')
    .action(
      commandAction<MergeOptions>(shell, async (session, options, ...names) => {
        refuseBefore(test);
        const { mergeShards } = await import('../../tests/merge-shards.ts');
        return mergeShards(session, options, ...names);
      }),
    );
}

/** Throws Failure 'usage' for an option before the word `merge`, which would have no effect. */
function refuseBefore(test: Command): void {
  const before = test.options.find(
    (option) => test.getOptionValueSource(option.attributeName()) === 'cli',
  )?.long;
  if (before === undefined || before === null) return;
  throw new Failure('usage', {
    message: `${before} has no effect before the word merge.`,
    where: { input: before },
    hint: `If \`millrace test merge --help\` lists ${before}, write it after the word: \`millrace test merge ${before} …\`. For a folder of tests with this name, write ./merge.`,
  });
}

/** Parses a part of the tests, such as `2/8`. Throws InvalidArgumentError. */
function parsePart(text: string): Shard {
  const shard = parseShard(text);
  if (shard !== undefined) return shard;
  throw new InvalidArgumentError(
    `It must be the number of a part and the number of all parts, at most ${maxShards}, such as 2/8.`,
  );
}
