/** A file that differs between two commits. */
export interface ChangedFile {
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type-changed';
  /** Where it is now (where it was, for a deleted one); relative to the repository. */
  readonly path: string;
  /** Where a renamed file was before. */
  readonly oldPath?: string;
}

/** Reads `git diff-tree -r -z --raw`: `:<modes> <oids> <letter><score>\0<path>\0[<new path>\0]`. */
export function parseChanges(output: Buffer): ChangedFile[] {
  const fields = output.toString('utf8').split('\0');
  const changes: ChangedFile[] = [];
  for (let i = 0; fields[i]?.startsWith(':') === true;) {
    const letter = fields[i]?.split(' ')[4]?.[0] ?? '';
    const path = fields[i + 1] ?? '';
    if (letter === 'R' || letter === 'C') {
      const newPath = fields[i + 2] ?? '';
      changes.push(
        letter === 'R'
          ? { status: 'renamed', path: newPath, oldPath: path }
          : { status: 'added', path: newPath },
      );
      i += 3;
    } else {
      changes.push({ status: statusOf(letter), path });
      i += 2;
    }
  }
  return changes;
}

function statusOf(letter: string): ChangedFile['status'] {
  if (letter === 'A') return 'added';
  if (letter === 'D') return 'deleted';
  return letter === 'T' ? 'type-changed' : 'modified';
}
