import { Option } from 'commander';
import { describeExecution } from '../../../flows/run/describe-execution.ts';
import type { RunReport } from '../../../flows/run/run.ts';
import { act, type AddCommand, definePlatformCommand, duration, oneOf, pairs } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

const ends = ['terminate', 'detach'] as const;
const conflicts = ['fail', 'wait', 'skip'] as const;

interface Options extends CommonOptions {
  readonly pipeline?: string;
  readonly environment?: string;
  readonly version?: string;
  readonly tag?: string;
  readonly variable?: Record<string, string>;
  readonly timeout: number;
  readonly onTimeout: (typeof ends)[number];
  readonly onCancel: (typeof ends)[number];
  readonly onConflict: (typeof conflicts)[number];
  readonly attach?: string;
  readonly wait: boolean;
  readonly dryRun?: boolean;
}

/** `millrace run`: executes a published pipeline and waits for its end. */
export const addRun: AddCommand = (program, shell) => {
  definePlatformCommand(program, 'run', 'Run a published pipeline and wait for its end.')
    .argument('[pipeline]', 'path of the pipeline, with or without suffix')
    .option('--pipeline <path>', 'the same as the argument')
    .option('--environment <name>', 'where it runs')
    .option('--version <name>', 'version (default: the newest enabled one)')
    .option('--tag <text>', 'execution tag (default: made from project, environment and pipeline)')
    .option('--variable <name=value>', 'scalar variable; may be repeated', pairs)
    .addOption(
      new Option('--timeout <time>', 'how long start and wait may take together')
        .argParser(duration)
        .default(3_600_000, '1h'),
    )
    .option('--on-timeout <what>', 'terminate or detach', oneOf(ends), 'terminate')
    .option('--on-cancel <what>', 'on Ctrl-C: terminate or detach', oneOf(ends), 'terminate')
    .option('--on-conflict <what>', 'while the tag is busy: fail, wait or skip', oneOf(conflicts), 'fail')
    .option('--attach <id>', 'wait for this execution, start none')
    .option('--no-wait', 'start it and go')
    .option('--dry-run', 'say what would happen, start nothing')
    .action(
      act<Options>(shell, async (session, options, argument) => {
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
        session.output.result(report, linesOf(report, attach !== undefined));
        return report.outcome;
      }),
    );
};

function linesOf(report: RunReport, attached: boolean): string[] {
  const { outcome, executionId, tag, hint, dryRun } = report;
  const what = describeExecution(report);
  if (dryRun && attached) return [`Would wait for ${what}.`];
  if (dryRun) return [`Would run ${what} with the tag ${tag ?? 'unknown'}.`];
  if (outcome === 'nothing-to-do')
    return [`Not started: an execution with the tag ${tag ?? 'unknown'} is still running.`];
  const said = factsOf(report).join('; ');
  const traced = hint !== undefined && tag !== undefined ? `, tag ${tag}` : '';
  const id = report.pipeline === undefined ? '' : ` Execution ${executionId ?? 'unknown'}${traced}.`;
  return [
    `${what}: ${outcome}${said === '' ? '' : ` (${said})`}.${id}`,
    ...(hint === undefined ? [] : [hint]),
  ];
}

function factsOf({ status, message, timedOut, terminated, problem }: RunReport): string[] {
  const facts = [
    problem,
    status,
    timedOut ? 'time limit reached' : undefined,
    terminated ? 'terminated' : undefined,
    message,
  ];
  return facts.filter((fact) => fact !== undefined);
}
