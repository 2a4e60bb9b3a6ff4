import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { indexEntries } from './index-entries.ts';
import { openPlace } from '../process/open-place.ts';
import { isInPackages } from '../package-folder.ts';
import { scanBlobs } from '../objects/scan-blobs.ts';
import { readEntries } from '../snapshot.ts';
import { refuseMissingIndex, throwIfSparse } from '../process/throw-if-sparse.ts';
import { isAbsent, isLink } from '../objects/tree-entry.ts';

/** Files in a folder that a sparse check-out leaves out. Paths are relative to the folder. */
export interface LeftOutFiles {
  readonly contents: ReadonlyMap<string, Buffer>;
  /** Files whose content a partial clone has not fetched. */
  readonly absent: readonly string[];
  /** Folders below whose `millrace.yaml` is left out: other projects. */
  readonly projects: readonly string[];
  /** Submodules without files on disk. Not those that a sparse check-out leaves out. */
  readonly submodules: readonly string[];
}

interface LeftOutOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** The files to read, by their paths relative to the folder. */
  readonly accepts: (path: string) => boolean;
  /** In bytes; larger files are left out. */
  readonly maxBytes: number;
}

/**
 * Reads from the index the files that are not on disk because of a sparse check-out. Files in folders with their
 * own `millrace.yaml` are left out, because these are other projects. Empty if the folder is not in a repository.
 * Throws Failure 'git-failed' if git cannot read a sparse check-out.
 */
export async function leftOutFiles(
  directory: string,
  { environment, signal, accepts, maxBytes }: LeftOutOptions,
): Promise<LeftOutFiles> {
  try {
    const { place, root, prefix } = await openPlace(directory, environment, signal);
    refuseMissingIndex(root, environment?.['GIT_INDEX_FILE']);
    const under = prefix === '' ? '' : `${prefix}/`;
    const entries = (await indexEntries({ ...place, directory: root }, false, signal)).flatMap((entry) =>
      entry.path.startsWith(under) ? [{ ...entry, name: entry.path.slice(under.length) }] : [],
    );
    const isOther = inOtherProject(entries.map(({ name }) => name));
    const missing = entries.filter(
      ({ name, type, isLeftOut }) =>
        isLeftOut &&
        type === 'blob' &&
        accepts(name) &&
        !isInPackages(name) &&
        !isOther(name) &&
        lstatSync(path.join(directory, name), { throwIfNoEntry: false }) === undefined,
    );
    const present = missing.filter((entry) => !isAbsent(entry) && !isLink(entry));
    const read = await readEntries(
      (oids, visit) => scanBlobs(place, oids, visit, signal),
      present.map(({ name, ...entry }) => ({ ...entry, path: name })),
      { unread: new Map(), maxBytes, accepts: undefined },
    );
    const settings = entries.filter(({ name, isLeftOut }) => isLeftOut && name.endsWith(projectEnding));
    const projects = settings.map(({ name }) => name.slice(0, -projectEnding.length));
    const submodules = entries.flatMap(({ name, type, isLeftOut }) =>
      type === 'commit' && !isLeftOut && !isOther(name) && isEmpty(path.join(directory, name)) ? [name] : [],
    );
    const absent = missing.filter(isAbsent).map(({ name }) => name);
    return { contents: read, projects, absent, submodules };
  } catch (error) {
    throwIfSparse(error, directory, signal);
    return { contents: new Map(), absent: [], projects: [], submodules: [] };
  }
}

/** Git leaves an empty folder in place of a submodule that is not checked out. */
function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return true;
  }
}

const projectEnding = '/millrace.yaml';

function inOtherProject(names: readonly string[]): (name: string) => boolean {
  const folders = names.flatMap((name) =>
    name.endsWith(projectEnding) ? [name.slice(0, 1 - projectEnding.length)] : [],
  );
  return (name) => folders.some((folder) => name.startsWith(folder));
}
