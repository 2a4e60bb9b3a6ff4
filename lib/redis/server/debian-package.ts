import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Logger } from '../../core/ports/ports.ts';
import { runCommand } from './command.ts';
import { serverEnvironment, type UnpackedServer } from './server-binary.ts';
import { lastLine, libraryFolders, unpackPackages } from './unpack-packages.ts';

export interface DebianPackageOptions {
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
export function unpackDebianPackage(options: DebianPackageOptions): Promise<string | undefined> {
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
