import path from 'node:path';
import { openPlace } from '../process/open-place.ts';
import { runGit } from '../process/run-git.ts';

/** Whether `git add` would add a file: it is in a work tree, and git does not ignore it. False if git cannot say. */
export async function isOpenToGit(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    const { place } = await openPlace(path.dirname(file), environment, signal);
    const args = ['--no-literal-pathspecs', 'check-ignore', '--quiet', '--', `./${path.basename(file)}`];
    return (await runGit(place, args, { signal, answers: [1, 128] })).code === 1;
  } catch {
    signal?.throwIfAborted();
    return false;
  }
}
