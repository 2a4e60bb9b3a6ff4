/** One file of a commit, as git's tree holds it. */
export interface TreeEntry {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  /**
   * `100644`, `100755`, `120000` (symbolic link) or `160000` (submodule); in the work tree as on disk, and `040000` for a file that has
   * a folder in its place.
   */
  readonly mode: string;
  readonly type: 'blob' | 'commit' | 'tree';
  readonly oid: string;
  /** A partial clone has not fetched the content. */
  readonly isAbsent?: boolean;
}

export function isAbsent(entry: Pick<TreeEntry, 'isAbsent'>): boolean {
  return entry.isAbsent === true;
}

export const linkMode = '120000';
export const folderMode = '040000';

export function isLink({ mode }: Pick<TreeEntry, 'mode'>): boolean {
  return mode === linkMode;
}

/** Whether the entry is a folder in the work tree, such as a submodule. */
export function isFolder({ mode }: Pick<TreeEntry, 'mode'>): boolean {
  return mode === folderMode;
}

/**
 * Parses `git ls-tree -r -z`: `<mode> <type> <oid>\t<path>\0`. Without sizes: git would have to open each file, which
 * takes ten times as long.
 */
export function parseTree(output: Buffer): TreeEntry[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => {
      const tab = record.indexOf('\t');
      const [mode = '', type = '', oid = ''] = record.slice(0, tab).split(' ');
      return { path: record.slice(tab + 1), mode, type: typeOf(type), oid };
    });
}

function typeOf(word: string): TreeEntry['type'] {
  return word === 'commit' || word === 'tree' ? word : 'blob';
}
