/** A file that differs between two commits. */
export interface ChangedFile {
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type-changed';
  /** The current path (the old one of a deleted file), relative to the repository. */
  readonly path: string;
  /** The old path of a renamed file. */
  readonly oldPath?: string;
}

/** Parses `git diff-tree -r -z --raw`: `:<modes> <oids> <letter><score>\0<path>\0[<new path>\0]`. */
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
