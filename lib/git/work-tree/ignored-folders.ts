import { openPlace } from '../process/open-place.ts';
import { runGit } from '../process/run-git.ts';

/** The folders that git ignores, relative to the top of the work tree. Throws Failure 'git-failed'. */
export async function ignoredFolders(
  directory: string,
  {
    environment,
    signal,
  }: {
    readonly environment?: Readonly<Record<string, string | undefined>>;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<ReadonlySet<string>> {
  const { place, root } = await openPlace(directory, environment, signal);
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const { stdout } = await runGit({ ...place, directory: root }, args, { signal });
  const names = stdout.toString('utf8').split('\0');
  return new Set(names.flatMap((name) => (name.endsWith('/') ? [name.slice(0, -1)] : [])));
}
