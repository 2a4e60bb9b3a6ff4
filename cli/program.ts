import { Command, CommanderError, Option } from 'commander';
import { version } from '../model/version.ts';
import { addApi } from './commands/api.ts';
import { addAudit } from './commands/audit.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDrift } from './commands/drift.ts';
import { addPlatform } from './commands/platform.ts';
import { addPromote } from './commands/promote.ts';
import { addPublish } from './commands/publish.ts';
import { addPublishShared } from './commands/publish-shared.ts';
import { addProvision } from './commands/provision.ts';
import { addReview } from './commands/review.ts';
import { addGraph } from './commands/graph.ts';
import { addApprove } from './commands/approve.ts';
import { addHold } from './commands/hold.ts';
import { addLanes } from './commands/lanes.ts';
import { addRelease } from './commands/release.ts';
import { addReplay } from './commands/replay.ts';
import { addRollback } from './commands/rollback.ts';
import { addRun } from './commands/run.ts';
import { addRuns } from './commands/runs.ts';
import { addSettle } from './commands/settle.ts';
import { addSteering } from './commands/steer.ts';
import { addStreaming } from './commands/streaming.ts';
import { addVariables } from './commands/variables.ts';
import { addWorker } from './commands/worker.ts';
import type { Shell } from './command.ts';
import { completeHelp } from './help.ts';

const commands = [
  addReview,
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
  addRuns,
  addApprove,
  addHold,
  addRelease,
  addSteering,
  addSettle,
  addReplay,
];

/** All commands. Nothing ends the process in here: commander's exits become errors. */
export function createProgram(shell: Shell): Command {
  const { stdout, stderr } = shell.io;
  const program = new Command('millrace')
    .description('CI/CD for data-pipeline projects: review, publish, promote, run, roll back.')
    // Before a command only: behind one, --version is in most commands the version of an artifact.
    .version(version, '-v, --version', 'print Millrace’s own version')
    .addOption(new Option('-V, --millrace-version').hideHelp())
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // Told by runCli, in the form that all our errors have.
      outputError: () => {},
    });
  // What --version was called before.
  program.on('option:millrace-version', () => {
    stdout.write(`${version}\n`);
    throw new CommanderError(0, 'commander.version', version);
  });
  for (const add of commands) add(program, shell);
  completeHelp(program);
  return program;
}
