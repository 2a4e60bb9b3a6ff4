import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import type { Logger } from '../../lib/core/ports/ports.ts';
import { runCommand } from '../../lib/redis/server/command.ts';
import { serverEnvironment } from '../../lib/redis/server/server-binary.ts';
import { lastLine, libraryFolders, unpackPackages } from '../../lib/redis/server/unpack-packages.ts';

/** PostgreSQL's programs, which the demo, tests of streaming pipelines and the differential test of the engine need. */
export interface PostgresPrograms {
  readonly folder: string;
  /** Folders of shared libraries that they need in addition to the system's. */
  readonly libraries: readonly string[];
  /** The folder below the clone that the user of the server must be able to read; undefined for an installed server. */
  readonly home?: string;
}

interface PostgresSearch {
  /** The folders of the variable PATH. */
  readonly path: readonly string[];
  /** Where the distribution installs the versions. */
  readonly installed: string;
  /** The folder into which the distribution's package may have been unpacked. */
  readonly unpacked: string;
}

const clone = join(import.meta.dirname, '../..');

export const search: PostgresSearch = {
  path: (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
  installed: '/usr/lib/postgresql',
  unpacked: join(clone, '.millrace/postgres'),
};

/** The programs, or the reason why there are none. */
export function findPostgres({ path, installed, unpacked }: PostgresSearch): PostgresPrograms | string {
  const folder = path.map(realFolder).find(hasServer) ?? newestIn(installed);
  if (folder !== undefined) return { folder, libraries: [] };
  const home = join(unpacked, 'server');
  const unpackedFolder = existsSync(join(home, 'server.json'))
    ? newestIn(join(home, 'usr/lib/postgresql'))
    : undefined;
  if (unpackedFolder !== undefined)
    return { folder: unpackedFolder, libraries: libraryFolders(home).map((name) => join(home, name)), home };
  const reason = join(unpacked, REASON);
  return existsSync(reason) ? readFileSync(reason, 'utf8').trim() : 'npm run setup provides it';
}

const REASON = 'unavailable.txt';

function newestIn(versions: string): string | undefined {
  const names = existsSync(versions) ? readdirSync(versions) : [];
  return names
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(versions, version, 'bin'))
    .find(hasServer);
}

/** A folder of a server alone, or of a client alone, is not enough. */
function hasServer(folder: string): boolean {
  return ['initdb', 'postgres', 'psql'].every((program) => existsSync(join(folder, program)));
}

/** A folder of PATH may have links to some of the programs. */
function realFolder(folder: string): string {
  const program = join(folder, 'initdb');
  return existsSync(program) ? dirname(realpathSync(program)) : folder;
}

/**
 * Fetches the distribution's package and unpacks it, as for Redis. A machine without one is fine: the reason is kept, and
 * the next set-up does not ask again.
 */
export async function providePostgres(
  folders: PostgresSearch,
  { environment, logger }: { readonly environment: NodeJS.ProcessEnv; readonly logger: Logger },
): Promise<void> {
  const into = folders.unpacked;
  if (typeof findPostgres(folders) !== 'string' || existsSync(join(into, REASON))) return;
  if (environment['MILLRACE_INSTALL'] === 'never') return;
  logger.info('No PostgreSQL found: fetching the distribution’s package without installing it.');
  const problem = await unpackPackages({
    environment,
    into,
    logger,
    names: ['postgresql'],
    // Without the compiler for queries, which is larger than everything else.
    dependencies: /^(lib(?!c6|llvm)|postgresql-(client-)?\d+$)/,
    unavailable: 'no package of PostgreSQL is available',
    complete,
  });
  if (problem === undefined) return;
  mkdirSync(into, { recursive: true });
  writeFileSync(join(into, REASON), `${problem}\n`);
  logger.info(
    `PostgreSQL is not available (${problem}): tests that need it are skipped, and the demo leaves out streaming.`,
  );
}

async function complete(home: string): Promise<string | undefined> {
  const folder = newestIn(join(home, 'usr/lib/postgresql'));
  if (folder === undefined) return 'the package contains no server';
  const environment = serverEnvironment(libraryFolders(home).map((name) => join(home, name)));
  const { code, stderr } = await runCommand(join(folder, 'postgres'), ['--version'], { environment });
  if (code !== 0) return lastLine(stderr) ?? 'the unpacked server does not start';
  writeFileSync(join(home, 'server.json'), '{}\n');
  return undefined;
}
