import { messageOf } from '../../core/errors/message-of.ts';
import { constants, rmSync } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { Failure } from '../../core/errors/failure.ts';
import type { GitPlace } from './git-place.ts';

/** Folders with our configuration, by their trusted folder and included file; deleted at the end of this process. */
const made = new Map<string, Promise<GitPlace['environment']>>();

/**
 * The place for a git before 2.38, which reads `safe.directory` only from configuration files, not from the command
 * line. Git gets a file from Millrace as the user's configuration; this file includes the real one.
 * `GIT_CONFIG_GLOBAL` is not enough, because git before 2.32 does not know it. The environment of the place must be
 * known. Throws Failure 'git-failed' if the file cannot be written.
 */
export async function trustByFile(place: GitPlace): Promise<GitPlace> {
  const { environment = {}, safeDirectory } = place;
  const { HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL } = environment;
  const key = JSON.stringify([safeDirectory, HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL]);
  const ready = made.get(key) ?? writeConfig(environment, safeDirectory);
  made.set(key, ready);
  try {
    return { ...place, environment: await ready };
  } catch (cause) {
    made.delete(key);
    throw new Failure('git-failed', {
      message: `Git does not trust the folder ${JSON.stringify(safeDirectory)}, because it belongs to another user. Millrace could not write a git configuration that trusts the folder: ${messageOf(cause)}`,
      hint: ownershipHint(safeDirectory),
      cause,
    });
  }
}

/** The hint for a repository that git still refuses. */
export function ownershipHint(directory: string): string {
  return `Run Millrace as the user who owns the folder. Or run this command first, as the user who runs Millrace: git config --global --add safe.directory ${JSON.stringify(directory)}`;
}

async function writeConfig(
  environment: NonNullable<GitPlace['environment']>,
  safeDirectory: string,
): Promise<GitPlace['environment']> {
  const folder = await mkdtemp(path.join(environment['TMPDIR'] ?? tmpdir(), 'millrace-git-'));
  removeAtEnd(folder);
  const { HOME = homedir(), XDG_CONFIG_HOME = '', GIT_CONFIG_GLOBAL } = environment;
  const before = XDG_CONFIG_HOME === '' ? path.join(HOME, '.config') : XDG_CONFIG_HOME;
  const ours = path.join(folder, 'git');
  await mkdir(ours);
  // Git and its helpers still find their other files next to that file.
  await linkAll(before, folder, 'git');
  await linkAll(path.join(before, 'git'), ours, 'config');
  await writeFile(
    path.join(ours, 'config'),
    await configText(safeDirectory, path.join(before, 'git', 'config')),
  );
  const moved = { ...environment, XDG_CONFIG_HOME: folder };
  if (GIT_CONFIG_GLOBAL === undefined) return moved;
  // Git reads this file instead of both configuration files of the user.
  const global = path.join(folder, 'global');
  await writeFile(global, await configText(safeDirectory, GIT_CONFIG_GLOBAL));
  return { ...moved, GIT_CONFIG_GLOBAL: global };
}

const folders = new Set<string>();

function removeAtEnd(folder: string): void {
  if (folders.size === 0) {
    process.once('exit', () => {
      for (const toRemove of folders) rmSync(toRemove, { recursive: true, force: true });
    });
  }
  folders.add(folder);
}

/** The user's own settings come first: an empty `safe.directory` in them resets the entries before it. */
async function configText(safeDirectory: string, usersFile: string): Promise<string> {
  const readable = await access(usersFile, constants.R_OK).then(
    () => usersFile !== '',
    () => false,
  );
  const include = readable ? `[include]\n\tpath = ${quoted(path.resolve(usersFile))}\n` : '';
  return `${include}[safe]\n\tdirectory = ${quoted(safeDirectory)}\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

async function linkAll(from: string, to: string, but: string): Promise<void> {
  const names = await readdir(from).catch(() => []);
  for (const name of names) {
    // If links are not allowed, git still has the required file.
    if (name !== but) await symlink(path.join(from, name), path.join(to, name)).catch(() => {});
  }
}
