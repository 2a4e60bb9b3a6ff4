import { readdirSync } from 'node:fs';
import path from 'node:path';
import { specialKind } from '../../../lib/core/files/read-plain-file.ts';
import { packageFolder } from '../../../lib/git/package-folder.ts';

/** Folders that belong to tools; a folder with its own millrace.yaml is another project. */
const otherFolders = new Set(['.git', packageFolder]);

/** What a search for files finds besides them. */
export interface FoundFolders {
  readonly others: ReadonlySet<string>;
  readonly folders: string[];
  readonly otherProjects: string[];
  readonly links: string[];
  readonly specials: string[];
}

/** The plain files below a folder of a project, by their paths in the project; all else goes to the listing. */
export function listFiles(directory: string, folder: string, listing: FoundFolders): string[] {
  const entries = readdirSync(path.join(directory, folder), { withFileTypes: true });
  listing.folders.push(folder);
  const isOther = listing.others.has(folder) || entries.some((entry) => entry.name === 'millrace.yaml');
  if (folder !== '' && isOther) {
    listing.otherProjects.push(folder);
    return [];
  }
  return entries.flatMap((entry) => {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isFile()) return [name];
    if (entry.isSymbolicLink()) listing.links.push(name);
    else if (specialKind(entry) !== undefined) listing.specials.push(name);
    return entry.isDirectory() && !otherFolders.has(entry.name) ? listFiles(directory, name, listing) : [];
  });
}
