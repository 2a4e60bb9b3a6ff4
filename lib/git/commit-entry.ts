/** One commit of the history. */
export interface CommitEntry {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly authorName: string;
  readonly authorEmail: string;
  /** Commit time, ISO 8601 with offset. */
  readonly committedAt: string;
  readonly subject: string;
}

/** For `git log -z`; no field can contain a NUL. */
export const commitFormat = ['%H', '%P', '%an', '%ae', '%cI', '%s'].join('%x00');

export function parseCommits(output: Buffer): CommitEntry[] {
  const fields = output.toString('utf8').split('\0');
  const commits: CommitEntry[] = [];
  for (let i = 0; i + 5 < fields.length; i += 6) {
    const [commit = '', parents = '', authorName = '', authorEmail = '', committedAt = '', subject = ''] =
      fields.slice(i, i + 6);
    const parentList = parents === '' ? [] : parents.split(' ');
    commits.push({ commit, parents: parentList, authorName, authorEmail, committedAt, subject });
  }
  return commits;
}
