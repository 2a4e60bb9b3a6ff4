import { Option } from 'commander';
import type { RunReport } from '../../../flows/run/run.ts';
import { Failure } from '../../../lib/core/failure.ts';
import { act, type AddCommand, definePlatformCommand, duration, oneOf, pairs } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

const ends = ['terminate', 'detach'] as const;
const conflicts = ['fail', 'wait', 'skip'] as const;

interface Options extends CommonOptions {
  readonly pipeline?: string;
  readonly environment: string;
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
    .requiredOption('--environment <name>', 'where it runs')
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
        const pipeline = argument ?? options.pipeline ?? options.attach;
        if (pipeline === undefined) {
          throw new Failure('usage', {
            message: 'The pipeline is not given.',
            where: { input: 'pipeline' },
            mend: 'Write: millrace run daily/load --environment test',
          });
        }
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
        const report = await session.withPlatform((context) =>
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
        );
        // The tag of an execution that somebody else started is not known.
        const shownTag = attach === undefined || tag !== undefined ? report.tag : undefined;
        session.output.result(report, linesOf(report, shownTag));
        return report.outcome;
      }),
    );
};

function linesOf(report: RunReport, tag: string | undefined): string[] {
  const { outcome, pipeline, environment, executionId, hint, dryRun } = report;
  const what = `${pipeline} in ${environment}`;
  if (dryRun) return [`Would run ${what} with the tag ${report.tag}.`];
  if (outcome === 'nothing-to-do')
    return [`Not started: an execution with the tag ${report.tag} is still running.`];
  const said = factsOf(report).join('; ');
  const traced = hint !== undefined && tag !== undefined ? `, tag ${tag}` : '';
  return [
    `${what}: ${outcome}${said === '' ? '' : ` (${said})`}. Execution ${executionId ?? 'unknown'}${traced}.`,
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
