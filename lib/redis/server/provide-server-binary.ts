import { Failure } from '../../core/errors/failure.ts';
import type { Logger } from '../../core/ports/ports.ts';
import { unpackDebianPackage } from './debian-package.ts';
import { findServerBinary, type ServerBinary } from './server-binary.ts';

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
  const found = await findServerBinary(options);
  if (found !== undefined) return found;
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

/** No server was found, and none may be fetched. */
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
