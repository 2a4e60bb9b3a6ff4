import { type Dirent, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isTextName } from '../../../lib/core/files/decode-text.ts';
import { specialKind } from '../../../lib/core/files/read-plain-file.ts';
import { packageFolder } from '../../../lib/git/package-folder.ts';

/** Folders that belong to tools; a folder with its own millrace.yaml is another project. */
const otherFolders = new Set(['.git', packageFolder]);

/** More entries are not looked at: such a folder counts as one with files of the project. */
const maxEntries = 10_000;
const suffixes = ['.orch.yaml', '.tran.yaml', '.test.yaml'];

/** The reason why a file of a project is not read, or a folder is not searched. */
export interface Unread {
  /** What it is, as the end of a sentence: `a symbolic link`. */
  readonly what: string;
  readonly hint: string;
  /** A folder with pipelines or tests. */
  readonly isFolder: boolean;
}

/** What a search for files found besides files. */
export interface FoundFolders {
  readonly others: ReadonlySet<string>;
  readonly folders: string[];
  readonly otherProjects: string[];
  readonly unread: Map<string, Unread>;
}

/**
 * Lists the plain files below a folder of a project, by their paths in the project. Everything else goes to
 * `listing`.
 */
export function listFiles(directory: string, folder: string, listing: FoundFolders): string[] {
  const place = path.join(directory, folder);
  const entries = readdirSync(place, { withFileTypes: true });
  listing.folders.push(folder);
  const isOther = listing.others.has(folder) || entries.some((entry) => entry.name === 'millrace.yaml');
  if (folder !== '' && isOther) {
    listing.otherProjects.push(folder);
    return [];
  }
  return entries.flatMap((entry) => {
    if (otherFolders.has(entry.name) && !entry.isFile()) return [];
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const unread = unreadEntry(entry, place);
    if (unread === undefined)
      return entry.isFile() ? [name] : entry.isDirectory() ? listFiles(directory, name, listing) : [];
    if (!unread.isFolder || holdsProjectFiles(place, entry.name)) listing.unread.set(name, unread);
    return [];
  });
}

/** Undefined for what is read. */
function unreadEntry(entry: Dirent, place: string): Unread | undefined {
  if (!isTextName(entry.name)) {
    const [hint, isFolder] = ['rename it', entry.isDirectory()];
    return { what: `a ${isFolder ? 'folder' : 'file'} whose name is not UTF-8`, hint, isFolder };
  }
  if (entry.isSymbolicLink()) {
    const isFolder = leadsToFolder(path.join(place, entry.name));
    const what = 'a symbolic link, which Millrace does not follow';
    return { what, hint: `replace it by a plain ${isFolder ? 'folder' : 'file'}`, isFolder };
  }
  const special = specialKind(entry);
  return special === undefined
    ? undefined
    : { what: special, hint: 'replace it by a plain file', isFolder: false };
}

/** False for a link that leads nowhere, to itself, or to a place that may not be read. */
function leadsToFolder(link: string): boolean {
  try {
    return statSync(link).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Whether a folder that is not searched has pipelines or tests, also in folders below it. Follows `name`, and no link below it.
 * @param name may contain U+FFFD in place of bytes that are not UTF-8
 */
function holdsProjectFiles(place: string, name: string): boolean {
  const folders = isTextName(name) ? [Buffer.from(path.join(place, name))] : rawPaths(place, name);
  let count = 0;
  for (const folder of folders) {
    for (const entry of readEntries(folder)) {
      count += 1;
      if (count > maxEntries || suffixes.some((suffix) => entry.name.toString('latin1').endsWith(suffix)))
        return true;
      if (entry.isDirectory()) folders.push(joined(folder, entry.name));
    }
  }
  return false;
}

/** The entries of a folder whose names read like this one. */
function rawPaths(place: string, name: string): Buffer[] {
  const folder = Buffer.from(place);
  return readEntries(folder).flatMap((entry) =>
    entry.name.toString('utf8') === name ? [joined(folder, entry.name)] : [],
  );
}

function joined(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name]);
}

/** None if the folder cannot be read. */
function readEntries(folder: Buffer) {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch {
    return [];
  }
}
