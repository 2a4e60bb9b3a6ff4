import type { Snapshot } from '../../lib/git/snapshot.ts';
import { Failure } from '../../lib/core/failure.ts';
import { type BaselineEntry, readBaseline } from './baseline.ts';
import type { ReviewRequest } from './review-request.ts';
import { ignoreMissingHistory } from './ignore-missing-history.ts';

/** The recorded old findings, and where their files are by now. */
export interface OldFindings {
  readonly entries: readonly BaselineEntry[];
  readonly renamed: ReadonlyMap<string, string>;
}

/** Reads the baseline that holds. Failure 'config-invalid' where it cannot be read. */
export async function readOldFindings(
  request: Pick<ReviewRequest, 'repository' | 'baseline' | 'policyCommit' | 'replacedBaseline' | 'base'>,
  snapshot: Snapshot,
): Promise<OldFindings> {
  const { repository, baseline, policyCommit, replacedBaseline } = request;
  const nothing = { entries: [], renamed: new Map<string, string>() };
  if (baseline === undefined) return nothing;
  const ofPolicy = policyCommit === undefined ? undefined : await repository.readFile(policyCommit, baseline);
  const own = async () => (await snapshot.readFiles([baseline])).get(baseline);
  const entries =
    replacedBaseline !== undefined
      ? readText(replacedBaseline, baseline)
      : ofPolicy === undefined
        ? readText(await own(), baseline)
        : await readOrRepair(ofPolicy, own, baseline);
  if (entries === undefined) return nothing;
  const there = new Set((await snapshot.list()).map(({ path }) => path));
  const lost = new Set(entries.map(({ file }) => file).filter((file) => !there.has(file)));
  // Asked only where a file is gone: most reviews need no history.
  const renamed = lost.size === 0 ? nothing.renamed : await follow(lost, request, snapshot);
  return { entries, renamed };
}

function readText(text: Buffer | undefined, file: string): readonly BaselineEntry[] | undefined {
  return text === undefined ? undefined : readBaseline(text.toString('utf8'), file);
}

/** Where the baseline of the base cannot be read, that of the change holds: else no change could ever repair it. */
async function readOrRepair(
  ofPolicy: Buffer,
  own: () => Promise<Buffer | undefined>,
  file: string,
): Promise<readonly BaselineEntry[] | undefined> {
  try {
    return readText(ofPolicy, file);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'config-invalid') throw error;
    return readText(await own(), file);
  }
}

/** Where each of the lost files went since the baseline was recorded, by git's renames, one after the other. */
async function follow(
  lost: ReadonlySet<string>,
  {
    repository,
    baseline = '',
    policyCommit,
    base,
  }: Pick<ReviewRequest, 'repository' | 'baseline' | 'policyCommit' | 'base'>,
  snapshot: Snapshot,
): Promise<ReadonlyMap<string, string>> {
  const { commit } = snapshot;
  if (commit === '') return new Map();
  const recorded = await ignoreMissingHistory(repository.lastChange(policyCommit ?? commit, baseline));
  const from = recorded ?? policyCommit ?? base;
  const steps =
    from === undefined ? [] : ((await ignoreMissingHistory(repository.renames(from, commit))) ?? []);
  // Renames that no single commit shows: those of the work copy, and of a branch that moved a file by copy and delete.
  const latest = snapshot.kind === 'commit' ? (from ?? commit) : commit;
  const rest = (await ignoreMissingHistory(snapshot.changedSince(latest))) ?? [];
  const now = new Map(Array.from(lost, (file) => [file, file]));
  for (const { oldPath, path } of [...steps, ...rest]) {
    if (oldPath === undefined) continue;
    for (const [old, at] of now) if (at === oldPath) now.set(old, path);
  }
  return new Map([...now].filter(([old, at]) => old !== at));
}
