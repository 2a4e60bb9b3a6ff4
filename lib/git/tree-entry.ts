/** One file of a commit, as git's tree holds it. */
export interface TreeEntry {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  /** `100644`, `100755`, `120000` (symbolic link) or `160000` (submodule). */
  readonly mode: string;
  readonly type: 'blob' | 'commit' | 'tree';
  readonly oid: string;
  /** A partial clone has not fetched the content. */
  readonly isAbsent?: boolean;
}

export function isAbsent(entry: Pick<TreeEntry, 'isAbsent'>): boolean {
  return entry.isAbsent === true;
}

export function isLink({ mode }: Pick<TreeEntry, 'mode'>): boolean {
  return mode === '120000';
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
