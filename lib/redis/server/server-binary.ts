import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './command.ts';
import { isAtLeast, oldestRedis } from '../connection/redis-version.ts';

/** A server program that can be started. */
export interface ServerBinary {
  readonly binary: string;
  /** Folders of shared libraries that it needs in addition to the system's; empty for an installed one. */
  readonly libraries: readonly string[];
  readonly version: string;
}

export interface BinarySearch {
  readonly environment: NodeJS.ProcessEnv;
  /** The folder into which a distribution's package may have been unpacked. */
  readonly unpacked: string;
}

/** The content of an unpacked server's `server.json`: paths relative to the file's folder. */
export interface UnpackedServer {
  readonly binary: string;
  readonly libraries: readonly string[];
}

const names =
  process.platform === 'win32'
    ? ['valkey-server.exe', 'redis-server.exe']
    : ['valkey-server', 'redis-server'];

/**
 * Finds a server of version 6.2 or later: in PATH (Valkey first), or else an unpacked one. `undefined` if there is
 * none.
 */
export async function findServerBinary(search: BinarySearch): Promise<ServerBinary | undefined> {
  for (const candidate of [...inPath(search.environment['PATH'] ?? ''), ...unpackedIn(search.unpacked)]) {
    const version = await versionOf(candidate, search.environment);
    if (version !== undefined && isAtLeast(version, oldestRedis)) return { ...candidate, version };
  }
  return undefined;
}

/** The environment of the server: a locale that exists everywhere, and its libraries. */
export function serverEnvironment(libraries: readonly string[], path = ''): NodeJS.ProcessEnv {
  return {
    PATH: path,
    LC_ALL: 'C',
    ...(libraries.length === 0 ? {} : { LD_LIBRARY_PATH: libraries.join(delimiter) }),
  };
}

type Candidate = Omit<ServerBinary, 'version'>;

function inPath(path: string): Candidate[] {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) =>
    folders
      .map((folder) => join(folder, name))
      .filter((binary) => existsSync(binary))
      .map((binary) => ({ binary, libraries: [] })),
  );
}

function unpackedIn(folder: string): Candidate[] {
  const home = join(folder, 'server');
  const note = join(home, 'server.json');
  if (!existsSync(note)) return [];
  const server = JSON.parse(readFileSync(note, 'utf8')) as UnpackedServer;
  return [
    { binary: join(home, server.binary), libraries: server.libraries.map((library) => join(home, library)) },
  ];
}

async function versionOf(
  { binary, libraries }: Candidate,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const answer = await runCommand(binary, ['--version'], {
    environment: serverEnvironment(libraries, environment['PATH']),
  });
  return /\bv=(\d+\.\d+\.\d+)/.exec(answer.stdout)?.[1];
}
