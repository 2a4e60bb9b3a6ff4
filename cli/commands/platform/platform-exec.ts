import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Command } from 'commander';
import { Failure } from '../../../lib/core/failure.ts';
import type { ExitCode } from '../../../lib/core/outcome.ts';
import { act, define, type Shell } from '../../kit/command.ts';
import type { Io } from '../../terminal/io.ts';
import { readInput } from '../../kit/read-input.ts';
import { seedFile } from '../../kit/seed-file.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly data?: string;
  readonly seed?: string;
  readonly gitRoot?: string;
  readonly loose?: boolean;
}

/** `millrace platform exec -- COMMAND`: a local platform for as long as a command runs. */
export function addPlatformExec(platform: Command, shell: Shell): void {
  // What stands behind the command's name is the command's, whether it looks like an option of ours or not.
  platform.parent?.enablePositionalOptions();
  platform.enablePositionalOptions();
  define(platform, 'exec', 'Run a command against a local platform of its own, and end with its exit code.')
    .argument('<command...>', 'the command and its arguments')
    .passThroughOptions()
    .option('--data <folder>', 'keep the state there (default: in memory)')
    .option('--seed <file>', 'what is there at the start (YAML)')
    .option('--git-root <folder>', 'folder of the repositories that reviews read: <owner>/<name>')
    .option('--loose', 'let fields through that the specification does not know')
    .action(async (...given: unknown[]) => {
      let code: number | undefined;
      await act<Options>(shell, async (session, options, name = '', ...args) => {
        const { io, output } = session;
        const { readSeed, startPlatform } = await import('../../../platform/index.ts');
        const at = (file: string) => path.resolve(io.cwd, file);
        await using server = await startPlatform({
          logger: output.logger,
          clock: io.clock,
          environment: io.env,
          loose: options.loose ?? false,
          ...(options.data === undefined ? {} : { data: at(options.data) }),
          ...(options.gitRoot === undefined ? {} : { gitRoot: at(options.gitRoot) }),
          ...(options.seed === undefined
            ? {}
            : {
                seed: readSeed(
                  await readInput(session, '--seed', options.seed),
                  seedFile(io.cwd, options.seed),
                ),
              }),
        });
        output.logger.info(`The local platform listens on ${server.baseUrl}`);
        code = await run(io, [name, ...args], { ...foreign(io.env), ...server.environment() });
        return 'passed';
      })(...given);
      // Not one of ours: whatever the command ended with.
      if (code !== undefined) shell.end(code as ExitCode);
    });
}

/** Everything but what says how to reach a platform: the command must not find its way to a real one. */
function foreign(env: Io['env']): Io['env'] {
  const ours = /^MILLRACE_(BASE_URL|TOKEN|CLIENT|AUDIENCE|PROJECT_ID|AGENT_VERSION)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ours.test(name)));
}

/** Runs a command on this terminal to its exit code; 128 and the signal's number where one ended it. */
function run(io: Io, [name = '', ...args]: readonly string[], env: Io['env']): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { cwd: io.cwd, env, stdio: 'inherit' });
    const kill = () => void child.kill('SIGKILL');
    const handOn = () => {
      const signal = io.signal.reason instanceof Error ? io.signal.reason.message : 'SIGTERM';
      // Ctrl-C has reached the command already: the terminal tells all who run on it.
      if (signal === 'SIGINT' && 'isTTY' in io.stdin && io.stdin.isTTY === true) return;
      child.kill(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
    };
    const leave = () => {
      io.signal.removeEventListener('abort', handOn);
      process.removeListener('exit', kill);
    };
    if (io.signal.aborted) handOn();
    io.signal.addEventListener('abort', handOn, { once: true });
    // Who ends us at once ends the command with us.
    process.once('exit', kill);
    child.once('error', (error: NodeJS.ErrnoException) => {
      leave();
      reject(
        new Failure('usage', {
          message: `The command "${name}" could not be started (${error.code ?? error.message}).`,
          where: { input: 'command' },
          hint: 'Check its name and that it is on the PATH; write it after two dashes: millrace platform exec -- npm test',
          cause: error,
        }),
      );
    });
    child.once('close', (code, signal) => {
      leave();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
