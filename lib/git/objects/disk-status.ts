import { allSubmodules } from '../process/run-git.ts';

/** How the work tree differs from the commit at HEAD. */
export interface DiskStatus {
  /** Undefined if there is no commit yet. */
  readonly head: string | undefined;
  /** Relative to the repository. */
  readonly changed: readonly string[];
}

/** The options of `git status` for `parseStatus`. The output includes HEAD, so that git is started only once. */
export const statusOptions = [
  '--porcelain=v2',
  '-z',
  '--branch',
  '--no-ahead-behind',
  '--untracked-files=all',
  '--no-renames',
  allSubmodules,
] as const;

/** Number of words before the path, by the first word: a changed file, one in conflict, a new one. */
const wordsBefore: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };
const headLine = '# branch.oid ';

/** Parses `git status --porcelain=v2 -z --branch`; without renames there is one path in each record. */
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
