import type { GitPlace } from '../process/git-place.ts';
import { runGit } from '../process/run-git.ts';
import type { TreeEntry } from '../objects/tree-entry.ts';

/** One file of the index. */
export interface IndexEntry extends TreeEntry {
  /**
   * Git does not look for the file on disk: it is outside of a sparse check-out (skip-worktree), or the user set
   * assume-unchanged.
   */
  readonly isUnwatched: boolean;
  /**
   * Outside of a sparse check-out: skip-worktree, and `core.sparseCheckout` is true. Where it is not on disk, the content of the index
   * counts. In another check-out a file with skip-worktree that is not on disk is deleted, as one with assume-unchanged.
   */
  readonly isLeftOut: boolean;
  /** A merge left a conflict in the file, which is not resolved yet. */
  readonly isUnmerged: boolean;
}

/**
 * The files of the index, sorted by path. After a conflict, it has our side, or the only side with the file.
 * `onlyStaged`: without files of `git add -N`, which a commit would not contain. `files`: only these files and
 * folders, relative to the place; otherwise all. Throws Failure 'git-failed'.
 */
export async function indexEntries(
  place: GitPlace,
  onlyStaged: boolean,
  signal: AbortSignal | undefined,
  files: readonly string[] = [],
): Promise<readonly IndexEntry[]> {
  const ask = async (...args: string[]) => (await runGit(place, args, { signal })).stdout;
  const all = await withoutSparsity(
    withoutOtherSides(parseIndex(await ask('ls-files', '-z', '-v', '--stage', '--', ...files))),
    place,
    signal,
  );
  const intended = onlyStaged ? await intendedToAdd(all, ask) : new Set();
  const entries = all.filter(({ path }) => !intended.has(path));
  if (!entries.some(({ isUnwatched }) => isUnwatched)) return entries;
  const absent = new Set(await absentBlobs(place, signal));
  return entries.map((entry) =>
    entry.isUnwatched && absent.has(entry.oid) ? { ...entry, isAbsent: true } : entry,
  );
}

/** The entries; if the check-out is not sparse, none is left out. */
async function withoutSparsity(
  entries: readonly IndexEntry[],
  place: GitPlace,
  signal: AbortSignal | undefined,
): Promise<readonly IndexEntry[]> {
  if (!entries.some(({ isLeftOut }) => isLeftOut)) return entries;
  const args = ['config', '--type=bool', '--get', 'core.sparseCheckout'];
  const { stdout } = await runGit(place, args, { signal, answers: [1], asked: 'read core.sparseCheckout' });
  return stdout.toString().trim() === 'true'
    ? entries
    : entries.map((entry) => ({ ...entry, isLeftOut: false }));
}

type Ask = (...args: string[]) => Promise<Buffer>;

/** The empty file, in both of git's hash functions: the content of a file of `git add -N`. */
const emptyBlobs = [
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
];

/** The files of `git add -N`: those whose changes since the last commit differ when git counts them as staged. */
async function intendedToAdd(entries: readonly IndexEntry[], ask: Ask): Promise<ReadonlySet<string>> {
  const empty = new Set(entries.flatMap(({ path, oid }) => (emptyBlobs.includes(oid) ? [path] : [])));
  if (empty.size === 0) return empty;
  const changes = async (view: string) => {
    const options = ['--cached', '--name-status', '--no-renames', '--no-ext-diff', view];
    const fields = names(await ask('diff', '-z', ...options));
    return new Map(fields.flatMap((field, at) => (at % 2 === 0 ? [[fields[at + 1] ?? '', field]] : [])));
  };
  const [counted, left] = [
    await changes('--ita-visible-in-index'),
    await changes('--ita-invisible-in-index'),
  ];
  return new Set([...empty].filter((path) => counted.get(path) !== left.get(path)));
}

/** The blobs of the index that a partial clone has not fetched. */
async function absentBlobs(place: GitPlace, signal: AbortSignal | undefined): Promise<readonly string[]> {
  const remotes = ['config', '--get-regexp', String.raw`^remote\..*\.promisor$`];
  if ((await runGit(place, remotes, { signal, answers: [1] })).code === 1) return [];
  const args = ['rev-list', '--objects', '--no-object-names', '--missing=print', '--no-walk'];
  const { stdout } = await runGit(place, [...args, '--indexed-objects'], { signal });
  return stdout
    .toString()
    .split('\n')
    .flatMap((line) => (line.startsWith('?') ? [line.slice(1)] : []));
}

interface Side {
  readonly stage: string;
  readonly entry: IndexEntry;
}

/** Parses `git ls-files -z -v --stage`: `<tag> <mode> <oid> <stage>\t<path>\0`. */
function parseIndex(output: Buffer): readonly Side[] {
  return names(output).map((record) => {
    const tab = record.indexOf('\t');
    const [tag = '', mode = '', oid = '', stage = ''] = record.slice(0, tab).split(' ');
    const entry = {
      path: record.slice(tab + 1),
      mode,
      type: mode === '160000' ? ('commit' as const) : ('blob' as const),
      oid,
      isUnwatched: /[Sa-z]/.test(tag),
      isLeftOut: /[Ss]/.test(tag),
      isUnmerged: stage !== '0',
    };
    return { stage, entry };
  });
}

/** One entry for each file. A conflict has up to three: 1 the common ancestor, 2 our side, 3 their side. */
function withoutOtherSides(sides: readonly Side[]): readonly IndexEntry[] {
  const kept = new Map<string, Side>();
  for (const side of sides) {
    const { path } = side.entry;
    const before = kept.get(path);
    if (before === undefined || side.stage === '2' || before.stage === '1') kept.set(path, side);
  }
  return Array.from(kept.values(), ({ entry }) => entry);
}

/** Splits the output of a git command with `-z` into names. */
export function names(output: Buffer): string[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '');
}
