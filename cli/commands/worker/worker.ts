import type { Command } from 'commander';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { commandAction, type AddCommand, defineCommand, type Shell } from '../../kit/command.ts';
import { addBackup } from './backup.ts';
import { parsePort } from '../../terminal/parse-port.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly port?: number;
  readonly host: string;
  readonly demo?: boolean;
  readonly data?: string;
  readonly repository?: string;
}

const usualPort = 8080;

/** `millrace worker`: receives push webhooks and promotes versions through the lanes until a signal stops it. */
export const addWorker: AddCommand = (program, shell) => {
  const command = defineCommand(
    program,
    'worker',
    'Start the webhook worker with the configuration of worker.yaml (or --config).',
  )
    .option(
      '--port <number>',
      `port for webhooks, dashboard and API; 0 means any free port (default: ${usualPort})`,
      parsePort,
    )
    .option(
      '--host <address>',
      'address to listen on; put a proxy with TLS in front of a non-loopback address',
      '127.0.0.1',
    )
    .option(
      '--demo',
      'try the worker without GitHub: everything runs on this machine, with an example project',
    )
    .option(
      '--repository <folder>',
      'with --demo: your own repository with its millrace.yaml, instead of the example project; it is not changed',
    )
    .option('--data <folder>', 'with --demo: folder that keeps its data (default: a temporary one)')
    .action(
      commandAction<Options>(shell, async (session, options) => {
        const { demo = false, data, repository, port, host, config, json = false, verbose = false } = options;
        if (demo) {
          const { runDemo } = await import('../../demo/run-demo.ts');
          return runDemo(session, { port, usualPort, host, data, repository, config, json, verbose });
        }
        if (data !== undefined)
          throw withoutDemo('--data', 'A worker without --demo keeps its data in Redis.');
        if (repository !== undefined)
          throw withoutDemo(
            '--repository',
            'A worker without --demo serves the repositories of worker.yaml.',
          );
        const { runWorker } = await import('../../worker/run-worker.ts');
        return runWorker(session, {
          config: config ?? 'worker.yaml',
          port: port ?? usualPort,
          host,
          verbose,
        });
      }),
    );
  addWorkerToken(command, shell);
  addHoldAll(command, shell);
  addBackup(command, shell);
};

function withoutDemo(option: string, instead: string): Failure {
  return new Failure('usage', {
    message: `${option} has no effect without --demo.`,
    where: { input: option },
    hint: `Add --demo, or remove ${option}. ${instead}`,
  });
}

/** `millrace worker token`: creates a token for an operator, and its hash for worker.yaml. */
function addWorkerToken(worker: Command, shell: Shell): void {
  // Options after the subcommand's name belong to the subcommand.
  worker.parent?.enablePositionalOptions();
  worker.enablePositionalOptions();
  defineCommand(worker, 'token', 'Create a token for an operator, and its hash for worker.yaml.').action(
    commandAction<CommonOptions>(shell, async (session) => {
      const { createOperatorToken } = await import('../../operate/operator-token.ts');
      const { token, hash } = createOperatorToken();
      session.output.result({ token, hash }, [
        `token:      ${token}`,
        `token-hash: ${hash}`,
        'Give the token to the operator, who sets MILLRACE_WORKER_TOKEN to it. It is not shown again.',
        'Add the hash to `operators` in worker.yaml.',
      ]);
      return 'passed';
    }),
  );
}

interface HoldAllOptions extends CommonOptions {
  readonly reason: string;
  readonly dryRun?: boolean;
}

/** `millrace worker hold-all`: holds every lane after a restored backup, before the workers start. */
function addHoldAll(worker: Command, shell: Shell): void {
  defineCommand(
    worker,
    'hold-all',
    'Hold every lane in Redis until you resume it, after you restored a backup and before you start the workers.',
  )
    .requiredOption('--reason <text>', 'reason, shown to everyone who looks at a lane')
    .option('--dry-run', 'show what would happen, without changing anything')
    .action(
      commandAction<HoldAllOptions>(shell, async (session, { reason, dryRun = false }) => {
        const { holdAllLanes } = await import('../../operate/hold-all-lanes.ts');
        const { lanes: held, durable } = await holdAllLanes(session, { reason, dryRun });
        const count = numberOf(held.length, 'lane');
        session.output.result(dryRun ? { dryRun, held, reason } : { held, reason, durable }, [
          `${dryRun ? 'Would hold' : 'Held'}: ${count} (${reason}).`,
          ...held.map((lane) => `  ${lane}`),
          ...(dryRun
            ? []
            : [
                'A lane that the records do not have starts on hold, too. Start the workers, check each lane, then resume it.',
              ]),
        ]);
        return 'passed';
      }),
    );
}
