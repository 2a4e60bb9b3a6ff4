import { defaultJobs } from '../../../flows/pipeline-tests/run/default-jobs.ts';
import { type AddCommand, commandAction, defineCommand, oneOf } from '../../kit/command.ts';
import { addCacheOptions } from '../../tests/test-cache.ts';
import { openTests } from '../../tests/open-tests.ts';
import { addPythonOptions, pythonPermission } from '../../tests/python-permission.ts';
import { formats, refuseOptions, type TestOptions } from '../../tests/test-options.ts';
import { parseCount } from '../../terminal/parse-count.ts';

/** `millrace test`: runs the tests of pipelines on embedded DuckDB. */
export const addTest: AddCommand = (program, shell) => {
  addCacheOptions(
    addPythonOptions(defineCommand(program, 'test', 'Run the tests of pipelines on this machine.')),
  )
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
    .option('--coverage', 'list the components, transitions and branches that no test reached')
    .option('--list', 'list the tests that would run, without running them')
    .option('--watch', 'run the tests again whose files change, until Ctrl-C')
    .option('--init <pipeline>', 'write a first test beside a pipeline, or beside each one of a folder')
    .option(
      '--update',
      'write the rows and variables that were found into the expectations, and show the diff',
    )
    .option('--dry-run', 'with --init or --update print what would be written, without writing it')
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
        const { init, dryRun = false } = options;
        if (init !== undefined) {
          const { initTests } = await import('../../tests/init-test.ts');
          return initTests(session, await openTests(session), { name: init, dryRun, context: given.context });
        }
        const { runChosen } = await import('../../tests/run-chosen.ts');
        return runChosen(session, options, given);
      }),
    );
};
