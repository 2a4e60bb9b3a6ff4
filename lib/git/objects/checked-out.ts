import { randomUUID } from 'node:crypto';
import type { GitPlace } from '../process/git-place.ts';
import { runGit } from '../process/run-git.ts';

/** A blob, and the path whose attributes decide how git would write it to disk. */
export interface PathBlob {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly oid: string;
}

/**
 * The contents of files as a check-out on this machine would write them, by path, with the line ends that git's
 * attributes and configuration ask for. Files with a filter in their attributes are left out, because reading them
 * would start the filter's program. `root`: the root of the repository. Throws Failure 'git-failed'.
 */
export async function checkedOut(
  place: GitPlace,
  root: string,
  { blobs, signal }: { readonly blobs: readonly PathBlob[]; readonly signal: AbortSignal | undefined },
): Promise<ReadonlyMap<string, Buffer>> {
  const at = { ...place, directory: root };
  const asked = 'ask how files are checked out';
  // Git's input has one file on a line.
  const named = blobs.filter(({ path }) => !path.includes('\n'));
  const contents = new Map<string, Buffer>();
  if (named.length === 0) return contents;
  const paths = named.map(({ path }) => `${path}\0`).join('');
  const attributes = await runGit(at, ['check-attr', '--stdin', '-z', 'filter'], {
    signal,
    asked,
    input: paths,
  });
  const fields = attributes.stdout.toString().split('\0');
  const plain = named.filter((_, index) => ['unspecified', 'unset'].includes(fields[3 * index + 2] ?? ''));
  if (plain.length === 0) return contents;
  // The size in git's own header is the one before the conversion, so an unguessable line separates the files.
  const mark = randomUUID();
  const { stdout } = await runGit(at, ['cat-file', '--filters', `--batch=${mark}`], {
    signal,
    asked,
    input: plain.map(({ oid, path }) => `${oid} ${path}\n`).join(''),
  });
  const line = Buffer.from(`${mark}\n`);
  let from = stdout.indexOf(line);
  for (const { path } of plain) {
    if (from === -1) break;
    const start = from + line.length;
    from = stdout.indexOf(line, start);
    // A line end follows each file.
    contents.set(path, stdout.subarray(start, (from === -1 ? stdout.length : from) - 1));
  }
  return contents;
}
