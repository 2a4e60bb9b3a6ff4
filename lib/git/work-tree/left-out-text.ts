import { lstatSync } from 'node:fs';
import path from 'node:path';
import { requireText } from '../../core/files/decode-text.ts';
import { Failure } from '../../core/errors/failure.ts';
import { visibleText } from '../../core/text/visible-text.ts';
import { defaultMaxBytes } from '../objects/blob-reader.ts';
import { type IndexEntry, indexEntries } from './index-entries.ts';
import { openPlace, type OpenedPlace } from '../process/open-place.ts';
import { scanBlobs } from '../objects/scan-blobs.ts';
import { readEntries } from '../snapshot.ts';
import { refuseMissingIndex, throwIfSparse } from '../process/throw-if-sparse.ts';
import { isAbsent, isLink } from '../objects/tree-entry.ts';

interface LeftOutTextOptions {
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The text in git's index of a file of settings that is not on disk because the check-out is sparse. Undefined for
 * all other files, and outside of a repository. `name` is relative to `directory`, which must exist. Throws if
 * using the default settings instead would find less: Failure 'config-invalid' if the file is a symbolic link (on
 * disk without its target, or in the index), if a partial clone has not fetched the content, and if it is not text;
 * 'git-failed' if git cannot read a sparse check-out.
 */
export async function leftOutText(
  directory: string,
  name: string,
  options: LeftOutTextOptions,
): Promise<string | undefined> {
  if (isOnDisk(directory, name))
    throw brokenLink(name, 'its target is not on disk', 'Correct the link, or replace it with a file.');
  const leftOut = await leftOutEntry(directory, [name], options);
  const entry = leftOut?.entries[0];
  if (leftOut === undefined || entry === undefined) return undefined;
  if (isLink(entry))
    throw brokenLink(
      entry.path,
      'the sparse check-out leaves it out, and links in the index are not followed',
      'Replace the link with a file, or add it and its target to the patterns of `git sparse-checkout set`.',
    );
  if (isAbsent(entry)) throw notFetched(entry.path);
  const { place } = leftOut.opened;
  const contents = await readEntries(
    (oids, visit) => scanBlobs(place, oids, visit, options.signal),
    [entry],
    { unread: new Map(), maxBytes: defaultMaxBytes, accepts: undefined },
  );
  const content = contents.get(entry.path);
  return content === undefined ? undefined : requireText(content, name);
}

/** The first of these files that is not on disk because the check-out is sparse, relative to the repository. */
export async function firstLeftOut(
  directory: string,
  names: readonly string[],
  options: LeftOutTextOptions,
): Promise<string | undefined> {
  return (await leftOutEntry(directory, names, options))?.entries[0]?.path;
}

/** The names, relative to the folder, of files that are not on disk because the check-out is sparse. */
export async function namesLeftOut(
  directory: string,
  names: readonly string[],
  options: LeftOutTextOptions,
): Promise<ReadonlySet<string>> {
  const leftOut = await leftOutEntry(directory, names, options);
  if (leftOut === undefined) return new Set();
  const paths = new Set(leftOut.entries.map(({ path: file }) => file));
  return new Set(names.filter((name) => paths.has(path.posix.join(leftOut.opened.prefix, name))));
}

/** The entries of the index for these files that a sparse check-out leaves out, in the order of the names. */
async function leftOutEntry(
  directory: string,
  names: readonly string[],
  { environment, signal }: LeftOutTextOptions,
): Promise<{ readonly opened: OpenedPlace; readonly entries: readonly IndexEntry[] } | undefined> {
  try {
    const opened = await openPlace(directory, environment, signal);
    const { place, root, prefix } = opened;
    const paths = names.map((name) => path.posix.join(prefix, name.split(path.sep).join('/')));
    const inside = paths.filter((name) => name !== '..' && !name.startsWith('../') && !path.isAbsolute(name));
    if (inside.length === 0) return undefined;
    refuseMissingIndex(root, environment?.['GIT_INDEX_FILE']);
    const indexed = await indexEntries({ ...place, directory: root }, false, signal, inside);
    const leftOut = new Map(
      indexed
        .filter(({ path: file, type, isLeftOut }) => isLeftOut && type === 'blob' && !isOnDisk(root, file))
        .map((entry) => [entry.path, entry]),
    );
    return { opened, entries: inside.flatMap((name) => leftOut.get(name) ?? []) };
  } catch (error) {
    throwIfSparse(error, directory, signal);
    return undefined;
  }
}

function isOnDisk(root: string, file: string): boolean {
  return lstatSync(path.join(root, file), { throwIfNoEntry: false }) !== undefined;
}

function brokenLink(file: string, reason: string, hint: string): Failure {
  return new Failure('config-invalid', {
    message: `"${visibleText(file)}" is a symbolic link, and ${reason}.`,
    where: { file },
    hint,
  });
}

/** The failure for a file of settings that a partial clone has not fetched. */
export function notFetched(file: string): Failure {
  const name = visibleText(file);
  return new Failure('config-invalid', {
    message: `The file "${name}" is outside of the sparse check-out, and this partial clone has not fetched its content.`,
    where: { file },
    hint: `Millrace never fetches files itself. Run \`git cat-file -e ":${name}"\` to fetch it, then run the command again.`,
  });
}
