import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../../core/errors/failure.ts';
import { gitEnvironment } from './git-environment.ts';
import type { GitPlace } from './git-place.ts';
import { isOwnershipRefusal, printable, runGit } from './run-git.ts';
import { trustByFile } from './trust-by-file.ts';

export interface OpenedPlace {
  readonly place: GitPlace;
  /** Top of the work tree, or the git folder of a bare repository. */
  readonly root: string;
  /** The opened folder relative to the root: `''` or `a/b`, with forward slashes and no trailing slash. */
  readonly prefix: string;
}

interface Opening {
  readonly directory: string;
  readonly outside: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal: AbortSignal | undefined;
  readonly opened: Promise<OpenedPlace>;
}

/** Calls of `openPlace` that are still running. */
const openings = new Set<Opening>();

/**
 * Finds the repository of a folder. Equal calls at the same time share one git process. Throws Failure 'git-failed'
 * if there is no repository.
 */
export async function openPlace(
  directory: string,
  outside: Opening['outside'],
  signal: Opening['signal'],
): Promise<OpenedPlace> {
  const same = [...openings].find(
    (active) => active.directory === directory && active.outside === outside && active.signal === signal,
  );
  if (same !== undefined) return same.opened;
  const opening = { directory, outside, signal, opened: findPlace(directory, outside, signal) };
  openings.add(opening);
  try {
    return await opening.opened;
  } finally {
    openings.delete(opening);
  }
}

async function findPlace(
  directory: string,
  outside: Opening['outside'],
  signal: Opening['signal'],
): Promise<OpenedPlace> {
  const real = await realpath(directory).catch((cause: unknown) => {
    throw new Failure('git-failed', {
      message: `The folder ${printable(directory)} does not exist.`,
      hint: 'Check the current folder, or --working-directory (input working-directory).',
      cause,
    });
  });
  const environment = outside === undefined ? undefined : gitEnvironment(outside);
  const folderPlace: GitPlace = { directory: real, safeDirectory: await trustedRoot(real), environment };
  const ask = async (place: GitPlace, ...options: string[]): Promise<string> => {
    const answer = await runGit(place, ['rev-parse', ...options], {
      signal,
      asked: `open the repository of the folder ${directory}`,
    });
    return answer.stdout.toString().replace(/\r?\n$/, '');
  };
  // One git process for both; the prefix comes last, because a folder's name may contain a line break.
  const look = async (place: GitPlace) => ({
    place,
    answer: await ask(place, '--is-inside-work-tree', '--show-prefix'),
  });
  const { place, answer } = await look(folderPlace).catch(async (error: unknown) => {
    if (environment === undefined || !isOwnershipRefusal(error)) throw withGitFolderHint(error, outside);
    return await look(await trustByFile(folderPlace));
  });
  const [inside, ...rest] = answer.split('\n');
  if (inside?.trimEnd() !== 'true')
    return { place, root: await ask(place, '--absolute-git-dir'), prefix: '' };
  const prefix = rest.join('\n').replace(/\/$/, '');
  const up = prefix === '' ? [] : prefix.split('/').map(() => '..');
  return { place, root: path.resolve(real, ...up), prefix };
}

/** In a hook, `GIT_DIR` names the git folder. Millrace does not follow it, because a variable could lead to another repository. */
function withGitFolderHint(error: unknown, outside: Opening['outside']): unknown {
  const isElsewhere = (outside?.['GIT_DIR'] ?? '') !== '';
  if (!isElsewhere || !(error instanceof Failure) || !error.message.includes('not a git repository'))
    return error;
  return new Failure('git-failed', {
    message: error.message,
    hint: 'Millrace finds a repository by `.git` and does not follow GIT_DIR. If the git folder is elsewhere, write a file `.git` at the top of the work tree with the line `gitdir: <path>`; for a bare repository, also run `git config core.bare false` there.',
    cause: error,
  });
}

/**
 * The opened folder, or its repository if the same user owns both. A repository of another user in a parent folder is
 * not trusted: its configuration could run commands.
 */
async function trustedRoot(directory: string): Promise<string> {
  const owner = (await stat(directory)).uid;
  for (let folder = directory; ; folder = path.dirname(folder)) {
    const stats = await lstat(path.join(folder, '.git')).catch(() => undefined);
    if (stats !== undefined) return stats.uid === owner ? folder : directory;
    if (path.dirname(folder) === folder) return directory;
  }
}
