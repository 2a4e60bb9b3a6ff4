import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../../../lib/core/failure.ts';
import { act, type AddCommand, define } from '../../kit/command.ts';
import { createOutput } from '../../terminal/output.ts';
import { port } from '../../kit/port.ts';
import { readInput } from '../../kit/read-input.ts';
import type { CommonOptions } from '../../kit/session.ts';
import { untilAborted } from '../../kit/until-aborted.ts';
import { writeEnvFile } from '../../kit/write-env-file.ts';
import { seedFile } from '../../kit/seed-file.ts';
import { addPlatformExec } from './platform-exec.ts';

interface Options extends CommonOptions {
  readonly port: number;
  readonly host: string;
  readonly data?: string;
  readonly seed?: string;
  readonly writeEnv?: string;
  readonly envFile?: string;
  readonly gitRoot?: string;
  readonly loose?: boolean;
}

/** `millrace platform`: the whole specification on this machine, until it is told to stop. */
export const addPlatform: AddCommand = (program, shell) => {
  const command = define(program, 'platform', 'Start the local platform: the whole API on this machine.');
  command
    .option('--port <number>', 'port, 0 for any free one', port, 0)
    .option(
      '--host <address>',
      'address to listen on; others than loopback are reachable for everyone',
      '127.0.0.1',
    )
    .option('--data <folder>', 'keep the state there (default: in memory)')
    .option('--seed <file>', 'what is there at the start (YAML)')
    .option('--write-env <file>', 'write the address, a token and the project as MILLRACE_* variables')
    .option(
      '--env-file <file>',
      'the same; behind npx only --write-env reaches us (Node has an --env-file too)',
    )
    .option('--git-root <folder>', 'folder of the repositories that reviews read: <owner>/<name>')
    .option('--loose', 'let fields through that the specification does not know')
    .action(
      act<Options>(shell, async (session, options) => {
        const { io, output } = session;
        const { readSeed, startPlatform } = await import('../../../platform/index.ts');
        const at = (file: string) => path.resolve(io.cwd, file);
        const gitRoot = options.gitRoot === undefined ? undefined : at(options.gitRoot);
        if (gitRoot !== undefined) await refuseMissing(gitRoot);
        await using platform = await startPlatform({
          port: options.port,
          host: options.host,
          logger: output.logger,
          clock: io.clock,
          environment: io.env,
          loose: options.loose ?? false,
          ...(options.data === undefined ? {} : { data: at(options.data) }),
          ...(gitRoot === undefined ? {} : { gitRoot }),
          ...(options.seed === undefined
            ? {}
            : {
                seed: readSeed(
                  await readInput(session, '--seed', options.seed),
                  seedFile(io.cwd, options.seed),
                ),
              }),
        });
        const variables = Object.entries(platform.environment());
        const envFile = options.writeEnv ?? options.envFile;
        if (envFile !== undefined) await writeEnvFile(at(envFile), variables);
        const { baseUrl, projectId, tokens, clientCredentials } = platform;
        // Its tokens are the result, also where MILLRACE_TOKEN holds one of them since the last start.
        const plain = createOutput(io, {
          json: options.json ?? false,
          verbose: false,
          redact: (text) => text,
        });
        plain.result(
          { baseUrl, projectId, tokens, clientCredentials, environment: Object.fromEntries(variables) },
          [
            `The local platform listens on ${baseUrl}`,
            `  inspector           ${baseUrl}/_platform`,
            `  project id          ${projectId}`,
            `  token, Super Admin  ${tokens.superAdmin}`,
            `  token, Admin        ${tokens.admin}`,
            `  token, member       ${tokens.member}`,
            '',
            'In another shell:',
            ...variables.map(([name, value]) => `  export ${name}=${value}`),
            '',
            'Ctrl-C stops it.',
          ],
        );
        await untilAborted(io.signal);
        return 'passed';
      }),
    );
  addPlatformExec(command, shell);
};

async function refuseMissing(gitRoot: string): Promise<void> {
  const found = await stat(gitRoot).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new Failure('usage', {
    message: `${gitRoot} is no folder.`,
    where: { input: '--git-root' },
    hint: 'Name the folder that holds the repositories as <owner>/<name>; it may be empty.',
  });
}
