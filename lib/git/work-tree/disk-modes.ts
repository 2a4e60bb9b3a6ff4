import type { GitPlace } from '../process/git-place.ts';
import { names } from './index-entries.ts';
import { runGit } from '../process/run-git.ts';

/** The mode of a file that is not on disk. */
export const goneMode = '000000';

/**
 * The modes on disk of the files of the index that are gone (`goneMode`; also where a folder, or a file of a folder that is now a link,
 * is in their place), that became a symbolic link, or were one before. Compares no content. Throws Failure 'git-failed'.
 */
export async function changedModes(
  place: GitPlace,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const options = ['--raw', '-z', '--no-renames', '--ignore-submodules=dirty', '--diff-filter=DTU'];
  const fields = names((await runGit(place, ['diff-files', ...options], { signal })).stdout);
  const modes = new Map<string, string>();
  // `:<mode> <mode on disk> <oid> <oid> <letter>\0<path>\0`; a conflict has a record for our side, too.
  for (let at = 0; at + 1 < fields.length; at += 2)
    modes.set(fields[at + 1] ?? '', fields[at]?.split(' ')[1] ?? goneMode);
  return modes;
}
