import { Command, CommanderError, Option } from 'commander';
import { version } from '../lib/core/version.ts';
import { addApi } from './commands/project/api.ts';
import { addAudit } from './commands/project/audit.ts';
import { addDoctor } from './commands/project/doctor.ts';
import { addDrift } from './commands/project/drift.ts';
import { addPlatform } from './commands/platform/platform.ts';
import { addPromote } from './commands/project/promote.ts';
import { addPublish } from './commands/project/publish.ts';
import { addPublishShared } from './commands/project/publish-shared.ts';
import { addProvision } from './commands/project/provision.ts';
import { addReview } from './commands/project/review.ts';
import { addGraph } from './commands/project/graph.ts';
import { addApprove } from './commands/worker/approve.ts';
import { addDeliveries } from './commands/worker/deliveries.ts';
import { addExport } from './commands/worker/export.ts';
import { addHold } from './commands/worker/hold.ts';
import { addLanes } from './commands/worker/lanes.ts';
import { addPause } from './commands/worker/pause.ts';
import { addResume } from './commands/worker/resume.ts';
import { addRefresh } from './commands/worker/refresh.ts';
import { addReplay } from './commands/worker/replay.ts';
import { addRollback } from './commands/project/rollback.ts';
import { addRun } from './commands/project/run.ts';
import { addPromotions } from './commands/worker/promotions.ts';
import { addResolve } from './commands/worker/resolve.ts';
import { addRetryAndCancel } from './commands/worker/retry-and-cancel.ts';
import { addTest } from './commands/project/test.ts';
import { addStreaming } from './commands/project/streaming.ts';
import { addVariables } from './commands/project/variables.ts';
import { addWorker } from './commands/worker/worker.ts';
import type { Shell } from './kit/command.ts';
import { completeHelp } from './kit/help.ts';

const commands = [
  addReview,
  addTest,
  addGraph,
  addPublish,
  addPublishShared,
  addPromote,
  addRun,
  addRollback,
  addDrift,
  addProvision,
  addVariables,
  addStreaming,
  addAudit,
  addApi,
  addDoctor,
  addPlatform,
  addWorker,
  addLanes,
  addPromotions,
  addDeliveries,
  addExport,
  addApprove,
  addHold,
  addPause,
  addRefresh,
  addResume,
  addRetryAndCancel,
  addResolve,
  addReplay,
];

/** The program with all commands. It never exits the process: commander's exits become errors. */
export function createProgram(shell: Shell): Command {
  const { stdout, stderr } = shell.io;
  const program = new Command('millrace')
    .description('CI/CD for data-pipeline projects: review, publish, promote, run, roll back.')
    // Before a command only: after one, --version is the version of an artifact in most commands.
    .version(version, '-v, --version', 'print the version of Millrace')
    .addOption(new Option('-V, --millrace-version').hideHelp())
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // runCli prints these errors in the same form as all others.
      outputError: () => {},
    });
  // The former name of --version.
  program.on('option:millrace-version', () => {
    stdout.write(`${version}\n`);
    throw new CommanderError(0, 'commander.version', version);
  });
  for (const add of commands) add(program, shell);
  completeHelp(program);
  return program;
}
