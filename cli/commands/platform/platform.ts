import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Option } from 'commander';
import type { AllowedSource, SecretPlace } from '../../../platform/index.ts';
import { parseAllowedSource, parseSecret, secretsIn } from '../../platform/streaming-options.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { shellWord } from '../../../lib/core/text/shell-word.ts';
import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import { createOutput } from '../../terminal/output.ts';
import { parsePort } from '../../terminal/parse-port.ts';
import { readInput } from '../../kit/read-input.ts';
import { addPythonOptions, type PythonFlags, pythonPermission } from '../../tests/python-permission.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { untilAborted } from '../../kit/servers/until-aborted.ts';
import { writeEnvFile } from '../../platform/write-env-file.ts';
import { seedFile } from '../../platform/seed-file.ts';
import { addPlatformExec } from './platform-exec.ts';

interface Options extends CommonOptions, PythonFlags {
  readonly port: number;
  readonly host: string;
  readonly data?: string;
  readonly seed?: string;
  readonly writeEnv?: string;
  readonly envFile?: string;
  readonly gitRoot?: string;
  readonly loose?: boolean;
  readonly allowSource?: readonly AllowedSource[];
  readonly secret?: readonly SecretPlace[];
}

/** `millrace platform`: serves the whole specification on this machine until a signal stops it. */
export const addPlatform: AddCommand = (program, shell) => {
  const command = defineCommand(
    program,
    'platform',
    'Start the local platform: the whole API on this machine.',
  );
  addPythonOptions(command)
    .option('--port <number>', 'port; 0 means any free port', parsePort, 0)
    .option(
      '--host <address>',
      'address to listen on; with a non-loopback address, other machines can connect',
      '127.0.0.1',
    )
    .option('--data <folder>', 'folder for the state (default: in memory)')
    .option('--seed <file>', 'YAML file with the initial data: projects, environments, versions')
    .option(
      '--write-env <file>',
      'file to write the address, a token and the project to, as MILLRACE_* variables',
    )
    .option(
      '--env-file <file>',
      'same as --write-env; use --write-env with npx, because Node takes --env-file for its own option',
    )
    .option('--git-root <folder>', 'folder with the repositories that reviews read, as <owner>/<name>')
    .addOption(
      new Option(
        '--allow-source <host:port=secret>',
        'PostgreSQL server that streaming pipelines may read, and the one secret that may be sent there (repeatable)',
      ).argParser(parseAllowedSource),
    )
    .addOption(
      new Option(
        '--secret <name=place>',
        'where the value of a secret is: name=env:VARIABLE or name=file:PATH (repeatable)',
      ).argParser(parseSecret),
    )
    .option('--loose', 'accept fields that the specification does not define')
    .action(
      commandAction<Options>(shell, async (session, options) => {
        const { io, output } = session;
        const { newSeed, readSeed, startPlatform } = await import('../../../platform/index.ts');
        const at = (file: string) => path.resolve(io.cwd, file);
        const gitRoot = options.gitRoot === undefined ? undefined : at(options.gitRoot);
        if (gitRoot !== undefined) await requireFolder(gitRoot);
        await using platform = await startPlatform({
          port: options.port,
          host: options.host,
          logger: output.logger,
          clock: io.clock,
          environment: io.env,
          loose: options.loose ?? false,
          python: pythonPermission(options, io),
          allowedSources: options.allowSource ?? [],
          secrets: secretsIn(options.secret ?? [], io.cwd),
          ...(options.data === undefined ? {} : { data: at(options.data) }),
          ...(gitRoot === undefined ? {} : { gitRoot }),
          seed:
            options.seed === undefined
              ? await newSeed()
              : readSeed(await readInput(session, '--seed', options.seed), seedFile(io.cwd, options.seed)),
        });
        const variables = Object.entries(platform.environment());
        const envFile = options.writeEnv ?? options.envFile;
        if (envFile !== undefined) {
          await writeEnvFile(at(envFile), variables);
          await warnOfCommit(session, { file: at(envFile), name: envFile });
        }
        const { baseUrl, projectId, tokens, clientCredentials, execution, streaming } = platform;
        // The tokens are the result, so they are not masked, even if MILLRACE_TOKEN already contains one of them.
        const unmasked = createOutput(io, {
          json: options.json ?? false,
          verbose: false,
          redact: (text) => text,
        });
        unmasked.result(
          {
            baseUrl,
            projectId,
            tokens,
            clientCredentials,
            execution,
            streaming,
            environment: Object.fromEntries(variables),
          },
          [
            `The local platform listens on ${baseUrl}`,
            `  inspector           ${baseUrl}/_platform`,
            `  project id          ${projectId}`,
            `  token, Super Admin  ${tokens.superAdmin}`,
            `  token, Admin        ${tokens.admin}`,
            `  token, member       ${tokens.member}`,
            `  pipelines           ${executionNotes[execution]}`,
            `  streaming           ${streamingNotes[streaming]}`,
            '',
            ...(envFile === undefined
              ? [
                  'In another shell:',
                  ...variables.map(([name, value]) => `  export ${name}=${shellWord(value)}`),
                ]
              : [
                  `Wrote these settings to ${envFile}. In another shell:`,
                  `  set -a; . ${shellWord(at(envFile))}; set +a`,
                ]),
            '',
            'Press Ctrl-C to stop.',
          ],
        );
        await untilAborted(io.signal);
        return 'passed';
      }),
    );
  addPlatformExec(command, shell);
};

/** What an execution on the platform shows, and what not. */
const executionNotes = {
  engine: 'run on embedded DuckDB',
  simulate: 'are simulated: each component waits and succeeds, and reads and writes no data',
} as const;

/** The same for streaming pipelines. */
const streamingNotes = {
  engine: 'captures changes from PostgreSQL into the warehouses',
  simulate: 'is simulated: a streaming pipeline only changes its status, and captures nothing',
} as const;

async function warnOfCommit(
  { io, output }: Session,
  { file, name }: { readonly file: string; readonly name: string },
): Promise<void> {
  const { isOpenToGit } = await import('../../../lib/git/work-tree/is-ignored.ts');
  if (!(await isOpenToGit(file, io.env, io.signal))) return;
  output.logger.warn(
    `${name} has the token of an administrator of the local platform, and git does not ignore the file. Add it to .gitignore, so that nobody commits it.`,
  );
}

async function requireFolder(gitRoot: string): Promise<void> {
  const stats = await stat(gitRoot).catch(() => undefined);
  if (stats?.isDirectory() === true) return;
  throw new Failure('usage', {
    message: `${gitRoot} is not a folder.`,
    where: { input: '--git-root' },
    hint: 'Give the folder that contains the repositories as <owner>/<name>. It may be empty.',
  });
}
