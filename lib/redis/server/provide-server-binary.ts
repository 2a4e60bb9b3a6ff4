import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Failure } from '../../core/errors/failure.ts';
import type { Logger } from '../../core/ports/ports.ts';
import {
  findServerBinary,
  type ServerBinary,
  serverEnvironment,
  type UnpackedServer,
} from './server-binary.ts';
import { runCommand } from './command.ts';
import { lastLine, libraryFolders, unpackPackages } from './unpack-packages.ts';

export interface ServerBinaryOptions {
  /** PATH, and what apt needs (proxies). */
  readonly environment: NodeJS.ProcessEnv;
  /** The folder for an unpacked distribution package, such as `.millrace/redis`. */
  readonly unpacked: string;
  readonly logger: Logger;
}

/**
 * Finds a server program in PATH or in an unpacked package, or else fetches the distribution's package and unpacks
 * it, unless MILLRACE_INSTALL is `never`.
 *
 * @throws Failure `redis-missing` with the one command to run
 */
export async function provideServerBinary(options: ServerBinaryOptions): Promise<ServerBinary> {
  const installed = await findServerBinary(options);
  if (installed !== undefined) return installed;
  if (options.environment['MILLRACE_INSTALL'] === 'never') throw missingServer();
  options.logger.info('No Redis found: fetching the distribution’s package without installing it.');
  const problem = await unpackDebianPackage({ ...options, into: options.unpacked });
  const unpacked = problem === undefined ? await findServerBinary(options) : undefined;
  if (unpacked !== undefined) return unpacked;
  throw new Failure('redis-missing', {
    message: `No valkey-server or redis-server (6.2 or later) is in PATH, and no package could be fetched: ${problem ?? 'the fetched one is too old'}.`,
    hint: `Run: ${installCommand()} (or set MILLRACE_REDIS_URL to your own Redis).`,
  });
}

/** The failure if no server was found and none may be downloaded. */
export function missingServer(): Failure {
  return new Failure('redis-missing', {
    message:
      'No valkey-server or redis-server (6.2 or later) is in PATH, and MILLRACE_INSTALL=never forbids fetching one.',
    hint: 'Install redis-server or valkey-server, or set MILLRACE_REDIS_URL to a Redis that already runs. Without MILLRACE_INSTALL=never, Millrace fetches a package itself.',
  });
}

function installCommand(): string {
  if (process.platform === 'darwin') return 'brew install valkey';
  if (process.platform === 'win32') return 'wsl --exec sudo apt-get install -y redis-server';
  return 'sudo apt-get install -y redis-server';
}

interface DebianPackageOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The parent folder of `server/`: the unpacked package with its `server.json`. */
  readonly into: string;
  readonly logger: Logger;
}

/**
 * Fetches the distribution's Redis (or Valkey) with apt and unpacks it.
 *
 * @returns why it failed, or `undefined` after success
 */
function unpackDebianPackage(options: DebianPackageOptions): Promise<string | undefined> {
  return unpackPackages({
    ...options,
    names: ['redis-server', 'valkey-server'],
    // A newer C library does not run with the system's loader, so packages that need one are skipped.
    dependencies: /^(lib(?!c6)|redis|valkey|lua)/,
    unavailable: 'no package of Redis or Valkey is available',
    complete,
  });
}

async function complete(home: string): Promise<string | undefined> {
  const server = describeServer(home);
  if (server === undefined) return 'the package contains no server';
  const { code, stderr } = await runCommand(join(home, server.binary), ['--version'], {
    environment: serverEnvironment(server.libraries.map((library) => join(home, library))),
  });
  if (code !== 0) return lastLine(stderr) ?? 'the unpacked server does not start';
  writeFileSync(join(home, 'server.json'), `${JSON.stringify(server, undefined, 2)}\n`);
  return undefined;
}

function describeServer(home: string): UnpackedServer | undefined {
  const programs = join(home, 'usr', 'bin');
  for (const name of ['redis', 'valkey']) {
    const binary = join(programs, `${name}-server`);
    const checker = join(programs, `${name}-check-rdb`);
    // One program has several names; the link may be absolute, or created by a script of the package.
    if (!existsSync(binary) && existsSync(checker)) {
      rmSync(binary, { force: true });
      symlinkSync(`${name}-check-rdb`, binary);
    }
    if (existsSync(binary)) return { binary: relative(home, binary), libraries: libraryFolders(home) };
  }
  return undefined;
}
