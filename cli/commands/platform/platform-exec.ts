import { closeSync, openSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Command } from 'commander';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { loopbackExcepted } from '../../../lib/http/no-proxy.ts';
import type { ExitCode } from '../../../lib/core/outcomes/outcome.ts';
import { commandAction, defineCommand, type Shell } from '../../kit/command.ts';
import type { Io } from '../../terminal/io.ts';
import { readInput } from '../../kit/read-input.ts';
import { seedFile } from '../../platform/seed-file.ts';
import { addPythonOptions, type PythonFlags, pythonPermission } from '../../tests/python-permission.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions, PythonFlags {
  readonly data?: string;
  readonly seed?: string;
  readonly gitRoot?: string;
  readonly loose?: boolean;
}

/** `millrace platform exec -- COMMAND`: runs a local platform while a command runs. */
export function addPlatformExec(platform: Command, shell: Shell): void {
  // Everything after the command's name belongs to the command, even if it looks like one of our options.
  platform.parent?.enablePositionalOptions();
  platform.enablePositionalOptions();
  const summary = 'Run a command against a new local platform, and exit with its exit code.';
  addPythonOptions(defineCommand(platform, 'exec', summary))
    .argument('<command...>', 'the command and its arguments')
    .passThroughOptions()
    .option('--data <folder>', 'folder for the state (default: in memory)')
    .option('--seed <file>', 'YAML file with the initial data: projects, environments, versions')
    .option('--git-root <folder>', 'folder with the repositories that reviews read, as <owner>/<name>')
    .option('--loose', 'accept fields that the specification does not define')
    .action(async (...words: unknown[]) => {
      let code: number | undefined;
      await commandAction<Options>(shell, async (session, options, name = '', ...args) => {
        const { io, output } = session;
        const { newSeed, readSeed, startPlatform } = await import('../../../platform/index.ts');
        const at = (file: string) => path.resolve(io.cwd, file);
        await using server = await startPlatform({
          logger: output.logger,
          clock: io.clock,
          environment: io.env,
          loose: options.loose ?? false,
          python: pythonPermission(options, io),
          ...(options.data === undefined ? {} : { data: at(options.data) }),
          ...(options.gitRoot === undefined ? {} : { gitRoot: at(options.gitRoot) }),
          seed:
            options.seed === undefined
              ? await newSeed()
              : readSeed(await readInput(session, '--seed', options.seed), seedFile(io.cwd, options.seed)),
        });
        output.logger.info(`The local platform listens on ${server.baseUrl}`);
        code = await runCommand(io, [name, ...args], {
          ...withoutPlatform(io.env),
          ...loopbackExcepted(io.env),
          ...server.environment(),
        });
        return 'passed';
      })(...words);
      // The exit code of the command, which need not be one of ours.
      if (code !== undefined) shell.end(code as ExitCode);
    });
}

/** The environment without the variables of the platform: the command must not reach a real platform. */
function withoutPlatform(env: Io['env']): Io['env'] {
  const platformVariable = /^MILLRACE_(BASE_URL|TOKEN|CLIENT|AUDIENCE|PROJECT_ID|AGENT_VERSION)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !platformVariable.test(name)));
}

/** Whether this process belongs to a terminal, whatever its streams are. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Runs a command on this terminal and returns its exit code: 128 plus the signal's number if a signal ended it. */
function runCommand(io: Io, [name = '', ...args]: readonly string[], env: Io['env']): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { cwd: io.cwd, env, stdio: 'inherit' });
    const kill = () => void child.kill('SIGKILL');
    const forwardSignal = () => {
      const signal = io.signal.reason instanceof Error ? io.signal.reason.message : 'SIGTERM';
      // The terminal has already sent the SIGINT of Ctrl-C to the command, also if its stdin is a pipe.
      if (signal === 'SIGINT' && hasTerminal()) return;
      child.kill(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
    };
    const removeListeners = () => {
      io.signal.removeEventListener('abort', forwardSignal);
      process.removeListener('exit', kill);
    };
    if (io.signal.aborted) forwardSignal();
    io.signal.addEventListener('abort', forwardSignal, { once: true });
    // Without a listener, a closed terminal would end this process only, and leave the command behind.
    io.onHangUp?.(() => void child.kill('SIGHUP'));
    // A second Ctrl-C ends this process at once: end the command too.
    process.once('exit', kill);
    child.once('error', (error: NodeJS.ErrnoException) => {
      removeListeners();
      reject(
        new Failure('usage', {
          message: `Cannot start the command "${name}" (${error.code ?? error.message}).`,
          where: { input: 'command' },
          hint: 'Check the name, and that the command is on the PATH. Write the command after two dashes: `millrace platform exec -- npm test`.',
          cause: error,
        }),
      );
    });
    child.once('close', (code, signal) => {
      removeListeners();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
