import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import type { Logger } from '../core/ports.ts';
import { type CommandResult, runCommand } from './command.ts';
import { serverEnvironment, type UnpackedServer } from './server-binary.ts';

export interface DebianPackageOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The parent folder of `server/`: the unpacked package with its `server.json`. */
  readonly into: string;
  readonly logger: Logger;
}

/**
 * Fetches the distribution's Redis (or Valkey) with apt and unpacks it: nothing is installed, no daemon starts, and
 * nothing outside `into` changes. The packages are checked by apt against the distribution's signatures.
 *
 * @returns why it failed, or `undefined` after success
 */
export async function unpackDebianPackage({
  environment,
  into,
  logger,
}: DebianPackageOptions): Promise<string | undefined> {
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
    let problem = await fetchPackages(apt);
    if (problem !== undefined) {
      logger.info(
        'The package lists of this machine cannot be used. Fetching new ones into a separate folder.',
      );
      settings.useOwnLists();
      const update = await apt('update', '-qq');
      problem = (await fetchPackages(apt)) ?? undefined;
      if (problem !== undefined) return lastLine(update.stderr) ?? problem;
    }
    return await unpack(part, into, environment);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

type Apt = (...args: string[]) => Promise<CommandResult>;

/**
 * Downloads the server and its dependencies that are not installed. Returns the problem, or `undefined` after
 * success.
 */
async function fetchPackages(apt: Apt): Promise<string | undefined> {
  let problem = 'no package of Redis or Valkey is available';
  for (const name of ['redis-server', 'valkey-server']) {
    const plan = await apt('install', '--print-uris', '-qq', '-y', '--no-install-recommends', name);
    if (plan.code !== 0) continue;
    // A newer C library does not run with the system's loader, so packages that need one are skipped.
    const wanted = [...plan.stdout.matchAll(/^'\S+' (\S+?)_\S+ /gm)]
      .map((match) => match[1] ?? '')
      .filter((packageName) => /^(lib(?!c6)|redis|valkey|lua)/.test(packageName));
    const fetched = await apt('download', '-qq', ...new Set([name, ...wanted]));
    if (fetched.code === 0) return undefined;
    problem = lastLine(fetched.stderr) ?? problem;
  }
  return problem;
}

async function unpack(
  part: string,
  into: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const home = join(part, 'server');
  mkdirSync(home);
  for (const file of readdirSync(part).filter((name) => name.endsWith('.deb'))) {
    const { code, stderr } = await runCommand('dpkg-deb', ['-x', join(part, file), home], { environment });
    if (code !== 0) return lastLine(stderr) ?? `${file} could not be unpacked`;
  }
  const server = describeServer(home);
  if (server === undefined) return 'the package contains no server';
  const { code, stderr } = await runCommand(join(home, server.binary), ['--version'], {
    environment: serverEnvironment(server.libraries.map((library) => join(home, library))),
  });
  if (code !== 0) return lastLine(stderr) ?? 'the unpacked server does not start';
  writeFileSync(join(home, 'server.json'), `${JSON.stringify(server, undefined, 2)}\n`);
  return putInPlace(home, join(into, 'server'));
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

/** `usr/lib`, `lib` and their folder of the machine's kind (such as `x86_64-linux-gnu`). */
function libraryFolders(home: string): string[] {
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

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1) || undefined;
}
