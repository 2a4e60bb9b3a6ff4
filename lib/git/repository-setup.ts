import path from 'node:path';
import { openPlace } from './process/open-place.ts';
import type { RepositoryOptions } from './repository.ts';
import { runGit } from './process/run-git.ts';

/** The set-up of a repository on this machine: its configuration, without its files. */
export interface RepositorySetup {
  /** Where the repository is hosted; undefined without a remote that has a host. */
  readonly remote: Remote | undefined;
  /** The remote's default branch, if git knows it. */
  readonly defaultBranch: string | undefined;
  /** The folder of the hooks; undefined if it is outside of this repository, so that other repositories share it. */
  readonly hooks: string | undefined;
  /** Whether git ignores `.env.local` in this folder: `millrace platform --write-env` writes tokens to it. */
  readonly ignoresEnvFile: boolean;
}

/** A remote without the credential that its address may contain. */
export interface Remote {
  readonly host: string;
  /** `owner/name`, without `.git`. */
  readonly path: string;
}

/** Reads the remote, the default branch and the folder of the hooks. Throws Failure 'git-failed'. */
export async function readRepositorySetup(
  directory: string,
  { environment, signal }: RepositoryOptions = {},
): Promise<RepositorySetup> {
  const { place, root } = await openPlace(directory, environment, signal);
  const ask = async (...args: string[]) => {
    const { code, stdout } = await runGit(place, args, { signal, answers: [1, 128] });
    return code === 0 ? stdout.toString() : '';
  };
  const settings = parseSettings(
    await ask('config', '--null', '--get-regexp', String.raw`^(remote\..*\.url|core\.hookspath)$`),
  );
  const remotes = settings.flatMap(([key, value]) => {
    const name = /^remote\.(.*)\.url$/s.exec(key)?.[1];
    return name === undefined ? [] : [{ name, address: value }];
  });
  const chosen = remotes.find(({ name }) => name === 'origin') ?? remotes[0];
  const head =
    chosen === undefined
      ? ''
      : await ask('symbolic-ref', '--quiet', '--short', `refs/remotes/${chosen.name}/HEAD`);
  const hooks = path.resolve(
    place.directory,
    (await ask('rev-parse', '--git-path', 'hooks')).replace(/\r?\n$/, ''),
  );
  const isMoved = settings.some(([key]) => key === 'core.hookspath');
  return {
    remote: chosen === undefined ? undefined : parseRemote(chosen.address),
    defaultBranch: head === '' ? undefined : head.trimEnd().slice((chosen?.name ?? '').length + 1),
    // A worktree's own hooks are in the repository that it belongs to, also outside of its folder.
    hooks: isMoved && !isInside(root, hooks) ? undefined : hooks,
    // This command knows no literal paths.
    ignoresEnvFile: (await ask('--no-literal-pathspecs', 'check-ignore', '--', '.env.local')) !== '',
  };
}

/** Parses `git config --null`: `<key>\n<value>\0`. */
function parseSettings(output: string): readonly (readonly [string, string])[] {
  return output.split('\0').flatMap((record) => {
    const end = record.indexOf('\n');
    return end < 0 ? [] : [[record.slice(0, end), record.slice(end + 1)] as const];
  });
}

/** Parses the address of a remote: `https://host/owner/name.git`, `ssh://…` or `git@host:owner/name.git`. */
export function parseRemote(address: string): Remote | undefined {
  const short = /^(?:[^@/:]+@)?([^/:@]{2,}):(?!\/\/)(.+)$/.exec(address);
  const [host, full] = short === null ? partsOf(address) : [short[1] ?? '', short[2] ?? ''];
  const name = full
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  return host === '' || name === '' ? undefined : { host, path: name };
}

function partsOf(address: string): readonly [string, string] {
  if (!/^(?:https?|ssh|git):/.test(address) || !URL.canParse(address)) return ['', ''];
  const { hostname, pathname } = new URL(address);
  return [hostname, pathname];
}

function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
