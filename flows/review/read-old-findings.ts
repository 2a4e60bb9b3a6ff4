import type { Snapshot } from '../../lib/git/snapshot.ts';
import { Failure } from '../../lib/core/failure.ts';
import { type BaselineEntry, readBaseline } from './baseline.ts';
import type { ReviewRequest } from './review-request.ts';
import { ignoreMissingHistory } from './ignore-missing-history.ts';

/** The recorded findings, and the new paths of renamed files by old path. */
export interface OldFindings {
  readonly entries: readonly BaselineEntry[];
  readonly renamed: ReadonlyMap<string, string>;
}

/** Reads the baseline that applies. Throws Failure 'config-invalid' if it cannot be read. */
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
  const existing = new Set((await snapshot.list()).map(({ path }) => path));
  const missing = new Set(entries.map(({ file }) => file).filter((file) => !existing.has(file)));
  // Most reviews need no history: read it only if a file is missing.
  const renamed = missing.size === 0 ? nothing.renamed : await followRenames(missing, request, snapshot);
  return { entries, renamed };
}

function readText(text: Buffer | undefined, file: string): readonly BaselineEntry[] | undefined {
  return text === undefined ? undefined : readBaseline(text.toString('utf8'), file);
}

/** If the baseline of the base cannot be read, that of the change applies. Otherwise no change could repair it. */
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

/** The new paths of the missing files, by following git's renames since the baseline was recorded. */
async function followRenames(
  missing: ReadonlySet<string>,
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
  // Renames that no single commit shows: in the working tree, and on a branch that moved a file by copy and delete.
  const latest = snapshot.kind === 'commit' ? (from ?? commit) : commit;
  const rest = (await ignoreMissingHistory(snapshot.changedSince(latest))) ?? [];
  const now = new Map(Array.from(missing, (file) => [file, file]));
  for (const { oldPath, path } of [...steps, ...rest]) {
    if (oldPath === undefined) continue;
    for (const [old, at] of now) if (at === oldPath) now.set(old, path);
  }
  return new Map([...now].filter(([old, at]) => old !== at));
}
