import { Option } from 'commander';
import {
  commandAction,
  type AddCommand,
  definePlatformCommand,
  parseDurationOption,
  oneOf,
  parsePair,
} from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

const endings = ['terminate', 'detach'] as const;
const conflicts = ['fail', 'wait', 'skip'] as const;

interface Options extends CommonOptions {
  readonly pipeline?: string;
  readonly environment?: string;
  readonly version?: string;
  readonly tag?: string;
  readonly variable?: Record<string, string>;
  readonly timeout: number;
  readonly onTimeout: (typeof endings)[number];
  readonly onCancel: (typeof endings)[number];
  readonly onConflict: (typeof conflicts)[number];
  readonly attach?: string;
  readonly wait: boolean;
  readonly dryRun?: boolean;
}

/** `millrace run`: executes a published pipeline and waits until the execution ends. */
export const addRun: AddCommand = (program, shell) => {
  definePlatformCommand(program, 'run', 'Execute a published pipeline, and wait until the execution ends.')
    .argument('[pipeline]', 'path of the pipeline, with or without suffix')
    .option('--pipeline <path>', 'same as the argument')
    .option('--environment <name>', 'environment to run in')
    .option('--version <name>', 'version (default: the newest enabled one)')
    .option('--tag <text>', 'execution tag (default: built from project, environment and pipeline)')
    .option('--variable <name=value>', 'value of a scalar variable; may be repeated', parsePair)
    .addOption(
      new Option('--timeout <time>', 'time limit for start and wait together')
        .argParser(parseDurationOption)
        .default(3_600_000, '1h'),
    )
    .option(
      '--on-timeout <action>',
      'on time-out: terminate the execution, or detach and let it run',
      oneOf(endings),
      'terminate',
    )
    .option(
      '--on-cancel <action>',
      'on Ctrl-C: terminate the execution, or detach and let it run',
      oneOf(endings),
      'terminate',
    )
    .option(
      '--on-conflict <action>',
      'if an execution with the tag is running: fail, wait or skip',
      oneOf(conflicts),
      'fail',
    )
    .option('--attach <id>', 'wait for this execution instead of starting one')
    .option('--no-wait', 'start the execution, and do not wait for it')
    .option('--dry-run', 'show what would happen, without starting anything')
    .action(
      commandAction<Options>(shell, async (session, options, argument) => {
        const pipeline = argument ?? options.pipeline;
        const {
          environment,
          version,
          tag,
          variable,
          timeout,
          onTimeout,
          onCancel,
          onConflict,
          attach,
          wait,
          dryRun,
        } = options;
        const { run } = await import('../../../flows/run/run.ts');
        const report = await session.withPlatform(
          (context) =>
            run(
              {
                pipeline,
                environment,
                version,
                tag,
                variables: variable,
                timeoutMs: timeout,
                onTimeout,
                onCancel,
                onConflict,
                attach,
                wait,
                dryRun: dryRun ?? false,
              },
              context,
            ),
          Infinity,
        );
        const { reportOfRun } = await import('../../../flows/run/report.ts');
        const { terminalLines } = await import('../../../lib/report/terminal.ts');
        session.output.result(report, terminalLines(reportOfRun(report)));
        return report.outcome;
      }),
    );
};
