import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../core/ports/ports.ts';
import { type CommandResult, runCommand } from './command.ts';

export interface PackagesRequest {
  readonly environment: NodeJS.ProcessEnv;
  /** The parent folder of `server/`: the unpacked packages with their `server.json`. */
  readonly into: string;
  readonly logger: Logger;
  /** Names of packages; the first that is available is fetched. */
  readonly names: readonly string[];
  /** Which packages that they depend on are fetched too, unless they are installed. */
  readonly dependencies: RegExp;
  /** The problem if none of the names is available. */
  readonly unavailable: string;
  /** Makes the unpacked files a server, with its `server.json`. Returns the problem, or `undefined` after success. */
  readonly complete: (home: string) => Promise<string | undefined>;
}

/**
 * Fetches packages of the distribution with apt and unpacks them: nothing is installed, no daemon starts, and nothing
 * outside `into` changes. apt checks the packages against the distribution's signatures.
 *
 * @returns why it failed, or `undefined` after success
 */
export async function unpackPackages(request: PackagesRequest): Promise<string | undefined> {
  const { environment, into, logger } = request;
  mkdirSync(into, { recursive: true });
  const part = mkdtempSync(join(into, 'part-'));
  try {
    const settings = writeAptSettings(part);
    const apt = (...args: string[]): Promise<CommandResult> =>
      runCommand('apt-get', ['-c', settings.file, ...args], {
        environment: { ...environment, LC_ALL: 'C' },
        folder: part,
      });
    if ((await apt('--version')).code !== 0) return 'this machine has no apt-get';
    let problem = await fetchPackages(apt, request);
    if (problem !== undefined) {
      logger.info(
        'the package lists of this machine are not usable; reading new ones into a separate folder',
      );
      settings.useOwnLists();
      const update = await apt('update', '-qq');
      problem = (await fetchPackages(apt, request)) ?? undefined;
      if (problem !== undefined) return lastLine(update.stderr) ?? problem;
    }
    return await unpack(part, request);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

type Apt = (...args: string[]) => Promise<CommandResult>;

/**
 * Downloads the server and its dependencies that are not installed. Returns the problem, or `undefined` after
 * success.
 */
async function fetchPackages(
  apt: Apt,
  { names, dependencies, unavailable }: PackagesRequest,
): Promise<string | undefined> {
  let problem = unavailable;
  for (const name of names) {
    const plan = await apt('install', '--print-uris', '-qq', '-y', '--no-install-recommends', name);
    if (plan.code !== 0) continue;
    const needed = [...plan.stdout.matchAll(/^'\S+' (\S+?)_\S+ /gm)]
      .map((match) => match[1] ?? '')
      .filter((packageName) => dependencies.test(packageName));
    const fetched = await apt('download', '-qq', ...new Set([name, ...needed]));
    if (fetched.code === 0) return undefined;
    problem = lastLine(fetched.stderr) ?? problem;
  }
  return problem;
}

async function unpack(
  part: string,
  { environment, into, complete }: PackagesRequest,
): Promise<string | undefined> {
  const home = join(part, 'server');
  mkdirSync(home);
  for (const file of readdirSync(part).filter((name) => name.endsWith('.deb'))) {
    const { code, stderr } = await runCommand('dpkg-deb', ['-x', join(part, file), home], { environment });
    if (code !== 0) return lastLine(stderr) ?? `${file} could not be unpacked`;
  }
  return (await complete(home)) ?? putInPlace(home, join(into, 'server'));
}

/** If another process was faster, its server is used. */
function putInPlace(home: string, place: string): string | undefined {
  try {
    rmSync(place, { recursive: true, force: true });
    renameSync(home, place);
  } catch (error) {
    if (!existsSync(join(place, 'server.json'))) return String(error);
  }
  return undefined;
}

/** `usr/lib`, `lib` and their subfolders for this kind of machine (such as `x86_64-linux-gnu`). */
export function libraryFolders(home: string): string[] {
  return ['usr/lib', 'lib']
    .filter((folder) => existsSync(join(home, folder)))
    .flatMap((folder) => [
      folder,
      ...readdirSync(join(home, folder))
        .filter((name) => name.includes('-linux-'))
        .map((name) => `${folder}/${name}`),
    ]);
}

/** apt's settings for this task only: separate caches, and none of the hooks that clean the system's caches. */
function writeAptSettings(part: string): { file: string; useOwnLists(): void } {
  const file = join(part, 'apt.conf');
  const lists = join(part, 'lists');
  mkdirSync(join(part, 'cache', 'archives', 'partial'), { recursive: true });
  mkdirSync(join(lists, 'partial'), { recursive: true });
  const lines = [
    '#clear APT::Update::Pre-Invoke;',
    '#clear APT::Update::Post-Invoke;',
    '#clear APT::Update::Post-Invoke-Success;',
    `Dir::Cache "${join(part, 'cache')}";`,
    'Dir::Cache::pkgcache "";',
    'Dir::Cache::srcpkgcache "";',
    'Debug::NoLocking "true";',
    // apt's download user has no access to our folder.
    'APT::Sandbox::User "";',
    'Acquire::Languages "none";',
    'Acquire::Retries "2";',
  ];
  const write = (): void => writeFileSync(file, `${lines.join('\n')}\n`);
  write();
  return {
    file,
    useOwnLists() {
      lines.push(`Dir::State::lists "${lists}";`);
      write();
    },
  };
}

export function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1) || undefined;
}
