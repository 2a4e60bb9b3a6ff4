/** How the work tree differs from the commit at HEAD. */
export interface DiskStatus {
  /** Undefined where nothing is committed yet. */
  readonly head: string | undefined;
  /** Relative to the repository. */
  readonly changed: readonly string[];
}

/** For `parseStatus`; HEAD is told along, so that git need not be started for it. */
export const statusOptions = [
  '--porcelain=v2',
  '-z',
  '--branch',
  '--no-ahead-behind',
  '--untracked-files=all',
  '--no-renames',
] as const;

/** How many words stand before the path, by the first of them: a changed file, one in conflict, a new one. */
const wordsBefore: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };
const headLine = '# branch.oid ';

/** Reads `git status --porcelain=v2 -z --branch`; without renames there is one path in each record. */
export function parseStatus(output: Buffer): DiskStatus {
  const records = output.toString('utf8').split('\0');
  const oid = records.find((record) => record.startsWith(headLine))?.slice(headLine.length) ?? '';
  return {
    head: /^[0-9a-f]{40,64}$/.test(oid) ? oid : undefined,
    changed: records.flatMap((record) => {
      const before = wordsBefore[record.split(' ', 1)[0] ?? ''];
      return before === undefined ? [] : [record.split(' ').slice(before).join(' ')];
    }),
  };
}
